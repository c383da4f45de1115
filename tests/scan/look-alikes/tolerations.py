from kubernetes.client import V1Toleration

toleration = V1Toleration(key="nvidia.com/gpu", operator="Exists")
also = {"key": "nvidia.com/gpu", "effect": "NoSchedule"}
node_selector = {"nvidia.com/gpu": "true", "nvidia.com/gpu.present": "true"}
guard = {"requests.nvidia.com/gpu": "0"}
PRODUCT = "nvidia.com/gpu.product"
POD = """
tolerations:
  - key: nvidia.com/gpu
nodeSelector:
  nvidia.com/gpu: "true"
"""
