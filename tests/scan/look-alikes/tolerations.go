package web

var toleration = corev1.Toleration{Key: "nvidia.com/gpu", Operator: corev1.TolerationOpExists}
var taint = corev1.Taint{
	Key:    "nvidia.com/gpu",
	Effect: corev1.TaintEffectNoSchedule,
}
var selector = map[string]string{"nvidia.com/gpu": "true"}

const present = "nvidia.com/gpu.present"
const product = `nvidia.com/gpu.product`
const gpuTaintKey = "nvidia.com/gpu"

var args = []string{"--device", "nvidia.com/gpu=all"}
