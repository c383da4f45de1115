const toleration = { key: "nvidia.com/gpu", operator: "Exists" };
const quoted = { "key": 'nvidia.com/gpu', effect: "NoSchedule" };
const nodeSelector = { "nvidia.com/gpu": "true" };
const product = "nvidia.com/gpu.product";
const guard = { "requests.nvidia.com/gpu": "0", "limits.nvidia.com/gpu": 0 };
const taint = "nvidia.com/gpu=present:NoSchedule";
const other = "xnvidia.com/gpu";
const url = "https://nvidia.com/gpu";
