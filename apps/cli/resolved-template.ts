import type { WirePreview, WirePreviewed } from "#client/wire.ts";
import { oneLine, section, valueLine } from "./print.ts";

/**
 * A property without a known value is left out. `web` is a resource of the stack itself,
 * `app-below/web` one of the nested stack `app-below`.
 */
const resourceLines = (previewed: WirePreviewed): string[] => {
  if (Array.isArray(previewed)) return previewed.flatMap(resourceLines);
  const { parent_resource, stack_name, resource_name, resource_type, properties } = previewed;
  const path = parent_resource === undefined ? resource_name : `${stack_name}/${resource_name}`;
  return [
    `${oneLine(path)} (${oneLine(resource_type)})`,
    ...Object.entries(properties)
      .filter(([, value]) => value !== null)
      .map((property) => `  ${valueLine(property)}`),
  ];
};

export const resolvedLines = ({ outputs, resources }: WirePreview): string[] => [
  ...section(
    "outputs",
    outputs.map(({ output_key, output_error, output_value }) =>
      valueLine([output_key, output_error ? `error: ${output_error}` : output_value]),
    ),
  ),
  ...section("resources", resources.flatMap(resourceLines)),
];
