<%= header["//"] %>

/** The label that a workload asks for, by the Waldur component that was bought. */
<% if sold %>
export const GPU_LABEL_BY_COMPONENT = {
<% for offering in sold %>
  <%= offering.component | typescript_property(offering.label) %>
<% endfor %>
} as const satisfies Readonly<Record<string, string>>;
<% else %>
export const GPU_LABEL_BY_COMPONENT = {} as const satisfies Readonly<
  Record<string, string>
>;
<% endif %>

export type GpuComponent = keyof typeof GPU_LABEL_BY_COMPONENT;
export type GpuLabel = (typeof GPU_LABEL_BY_COMPONENT)[GpuComponent];

/** Components that still work but are no longer offered. */
export const DEPRECATED_GPU_COMPONENTS: readonly GpuComponent[] = <%= deprecated | typescript_array(66) %>;
