#!/bin/sh
kubectl taint nodes gpu-1 nvidia.com/gpu=present:NoSchedule
kubectl taint nodes gpu-1 nvidia.com/gpu-
kubectl taint nodes gpu-1 nvidia.com/gpu:NoSchedule-
kubectl taint nodes --overwrite gpu-1 \
  nvidia.com/gpu=true:NoExecute
kubectl label node gpu-1 nvidia.com/gpu=true
kubectl label node gpu-1 nvidia.com/gpu-
kubectl get nodes -l nvidia.com/gpu
kubectl get nodes --selector=nvidia.com/gpu.present=true
kubectl create quota guard --hard=requests.nvidia.com/gpu=0,limits.nvidia.com/gpu=0
docker run --device nvidia.com/gpu=all cuda
docker run --device=nvidia.com/gpu=0 cuda
helm install web ./web --set 'tolerations[0].key=nvidia.com/gpu'
curl https://nvidia.com/gpu https://docs.nvidia.com/gpu/index.html
make install LLM_TOLERATION="nvidia.com/gpu" TAINT_KEY=nvidia.com/gpu
