// Which label a bought component asks for. The A10G has nvidia.com/gpu for historical reasons.
export const GPU_LABEL_BY_COMPONENT = {
  gpu_a10g: "nvidia.com/gpu",
  gpu_a100: "nvidia.com/a100",
  gpu_a100_mig_1g_5gb: "nvidia.com/mig-1g.5gb",
} as const;

export const DEFAULT_GPU_LABEL = "nvidia.com/gpu";

export const GPU_TOLERATION = { key: "nvidia.com/gpu", operator: "Exists" };
export const GPU_NODES = "nvidia.com/gpu.present=true";
