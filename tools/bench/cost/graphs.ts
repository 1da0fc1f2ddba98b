/** The measured graphs. A graph maps each name to the names that it refers to. */
import { randomBytes } from "node:crypto";
import type { Json, JsonObject } from "#lib/json.ts";
import type { TemplateSource } from "#lib/stack/record/template-record.ts";

export type Graph = Readonly<Record<string, readonly string[]>>;

export const GRAPHS = ["independent", "chain", "fan-in", "grid", "servers"] as const;
export type GraphName = (typeof GRAPHS)[number];

const numbered = (count: number, name: string): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${name}_${at}`);

const independent = (size: number): Graph =>
  Object.fromEntries(numbered(size, "leaf").map((name) => [name, []]));

const chain = (size: number): Graph =>
  Object.fromEntries(
    numbered(size, "link").map((name, at) => [name, at === 0 ? [] : [`link_${at - 1}`]]),
  );

const fanIn = (size: number): Graph => {
  const leaves = numbered(size - 1, "leaf");
  return { ...Object.fromEntries(leaves.map((name) => [name, []])), sink: leaves };
};

const grid = (size: number): Graph => {
  const width = Math.round(Math.sqrt(size));
  const cell = (row: number, column: number): string => `cell_${row}_${column}`;
  const cells = Array.from({ length: width * width }, (_, at): [string, readonly string[]] => {
    const [row, column] = [Math.floor(at / width), at % width];
    return [
      cell(row, column),
      [...(row > 0 ? [cell(row - 1, column)] : []), ...(column > 0 ? [cell(row, column - 1)] : [])],
    ];
  });
  return Object.fromEntries(cells);
};

const GROUP = 6;

/** Groups of six: a port, a volume, a server, the volume's attachment, a config, a deployment. */
const servers = (size: number): Graph =>
  Object.fromEntries(
    Array.from({ length: Math.max(1, Math.floor(size / GROUP)) }, (_, at) => at).flatMap(
      (at): [string, readonly string[]][] => [
        [`port_${at}`, []],
        [`volume_${at}`, []],
        [`server_${at}`, [`port_${at}`]],
        [`attachment_${at}`, [`server_${at}`, `volume_${at}`]],
        [`config_${at}`, []],
        [`deployment_${at}`, [`server_${at}`, `config_${at}`]],
      ],
    ),
  );

export const graphOf = (name: GraphName, size: number): Graph =>
  ({ independent, chain, "fan-in": fanIn, grid, servers })[name](size);

export const edgesOf = (graph: Graph): number =>
  Object.values(graph).reduce((sum, requires) => sum + requires.length, 0);

/**
 * The size of a sealed property. The text is random, so compression does not shrink it. Real
 * properties are compressed to half or less; this is the size after that.
 */
export interface Properties {
  readonly bytes: number;
  /** Whether functions compute the value, so that the template does not contain it. */
  readonly isMade?: boolean;
}

const BITS_PER_BYTE = 8;
const BITS_PER_CHARACTER = 6;

const SHA512_BYTES = 64;

const randomText = (bytes: number): string =>
  randomBytes(bytes)
    .toString("base64")
    .slice(0, Math.floor((bytes * BITS_PER_BYTE) / BITS_PER_CHARACTER));

/** Joined digests: each one is a function call in a short text, but its value is random. */
const madeText = (bytes: number): Json => ({
  list_join: [
    "",
    Array.from({ length: Math.round(bytes / SHA512_BYTES) }, () => ({
      digest: ["sha512", randomText(BITS_PER_BYTE)],
    })),
  ],
});

const largeProperty = ({ bytes, isMade = false }: Properties): JsonObject =>
  bytes === 0 ? {} : { user_data: isMade ? madeText(bytes) : randomText(bytes) };

/** A resource with more dependencies only uses depends_on, as in a real template. */
const REFERENCES_MAX = 8;

export const templateOf = (
  graph: Graph,
  properties: Properties = { bytes: 0 },
): TemplateSource => ({
  template: {
    heat_template_version: "2018-08-31",
    resources: Object.fromEntries(
      Object.entries(graph).map(([name, requires]): [string, Json] => [
        name,
        {
          type: "Hearth::Test::Scenario",
          properties: {
            flavor: "m1.small",
            description: `the ${name} of the cost table`,
            ...largeProperty(properties),
            ...(requires.length <= REFERENCES_MAX &&
              Object.fromEntries(
                requires.map((other, at) => [`input_${at}`, { get_resource: other }]),
              )),
          },
          ...(requires.length > REFERENCES_MAX && { depends_on: requires }),
        },
      ]),
    ),
  },
  files: {},
  environment: { parameters: {}, parameterDefaults: {}, resourceRegistry: {} },
});
