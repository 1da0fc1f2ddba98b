import { fileURLToPath } from "node:url";
import { type GraphNode, templateGraph } from "#lib/authoring/template-graph.ts";
import { RequestError } from "#lib/errors.ts";
import { CommandFailed } from "../failure.ts";
import { shownPath, templateRequest } from "./files.ts";
import { type TemplateOptions, templateBody } from "./template-options.ts";

/** @throws CommandFailed when the template is invalid. That is no fault of the command. */
export const graphOf = async (options: TemplateOptions): Promise<readonly GraphNode[]> => {
  const { parameters, ...files } = await templateBody(options);
  try {
    return await templateGraph(templateRequest(files, parameters));
  } catch (error) {
    if (error instanceof RequestError) throw new CommandFailed(error.message);
    throw error;
  }
};

export const graphLines = (
  nodes: readonly GraphNode[],
  format: keyof typeof DRAWINGS,
): readonly string[] =>
  DRAWINGS[format](nodes.map((node) => ({ ...node, type: shownType(node.type) })));

const shownType = (type: string): string =>
  type.startsWith("file:") ? shownPath(fileURLToPath(type)) : type;

/** DOT has these escapes. Other control characters must not reach a terminal. */
const quoted = (text: string): string =>
  `"${text
    .replace(/["\\]/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replace(/\p{Cc}/gu, " ")}"`;

export const dotLines = (nodes: readonly GraphNode[]): string[] => [
  "digraph template {",
  "  rankdir=RL;",
  "  node [shape=box];",
  ...nodes.map(({ name, type }) => `  ${quoted(name)} [label=${quoted(`${name}\n${type}`)}];`),
  ...nodes.flatMap(({ name, requires }) =>
    requires.map((required) => `  ${quoted(name)} -> ${quoted(required)};`),
  ),
  "}",
];

/** Mermaid reads `#36;` as a character. Its keywords cannot be ids, so nodes are numbered. */
const escaped = (text: string): string =>
  text.replace(/[^\p{L}\p{N} _:./-]/gu, (character) => `#${character.codePointAt(0) ?? 0};`);

export const mermaidLines = (nodes: readonly GraphNode[]): string[] => {
  const ids = new Map(nodes.map(({ name }, at) => [name, `n${at}`]));
  return [
    "flowchart RL",
    ...nodes.map(({ name, type }) => `  ${ids.get(name)}["${escaped(name)}<br/>${escaped(type)}"]`),
    ...nodes.flatMap(({ name, requires }) =>
      requires.map((required) => `  ${ids.get(name)} --> ${ids.get(required)}`),
    ),
  ];
};

const BOX_HEIGHT = 40;
const ROW_HEIGHT = 60;
const LAYER_GAP = 70;
const MARGIN = 20;
const LETTER_WIDTH = 7.3;
const BOX_PADDING = 12;
/** Each sweep moves boxes nearer to their dependencies. More sweeps change little. */
const SWEEPS = 4;

interface Box extends GraphNode {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Draws the graph of a template as SVG. Each resource is right of all its dependencies. */
export const svgLines = (nodes: readonly GraphNode[]): string[] => {
  const boxes = placed(orderedLayers(nodes));
  const byName = new Map(boxes.map((box) => [box.name, box]));
  const arrows = boxes.flatMap((box) =>
    box.requires.flatMap((name) => {
      const required = byName.get(name);
      return required === undefined ? [] : [arrowLine(box, required)];
    }),
  );
  const width = MARGIN + boxes.reduce((most, box) => Math.max(most, box.x + box.width), 0);
  const height = MARGIN + boxes.reduce((most, { y }) => Math.max(most, y + BOX_HEIGHT), 0);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="12">`,
    '  <defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8Z" fill="#555"/></marker></defs>',
    `  <rect width="${width}" height="${height}" fill="white"/>`,
    ...arrows,
    ...boxes.flatMap(boxLines),
    "</svg>",
  ];
};

const layerOf = (nodes: readonly GraphNode[]): ReadonlyMap<string, number> => {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const layers = new Map<string, number>();
  // A list replaces recursion, because a chain of resources may be longer than the call stack.
  const open = nodes.map(({ name }) => name);
  for (let name = open.at(-1); name !== undefined; name = open.at(-1)) {
    const required = (byName.get(name)?.requires ?? []).filter((one) => byName.has(one));
    const unknown = layers.has(name) ? [] : required.filter((one) => !layers.has(one));
    if (unknown.length > 0) {
      open.push(...unknown);
      continue;
    }
    open.pop();
    const before = required.map((one) => layers.get(one) ?? 0);
    layers.set(
      name,
      before.reduce((most, layer) => Math.max(most, layer + 1), 0),
    );
  }
  return layers;
};

type Layers = readonly (readonly GraphNode[])[];

const orderedLayers = (nodes: readonly GraphNode[]): Layers => {
  const layers = layerOf(nodes);
  const grouped = Map.groupBy(nodes, ({ name }) => layers.get(name) ?? 0);
  let ordered: Layers = Array.from({ length: grouped.size }, (_, at) => grouped.get(at) ?? []);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) ordered = sweptOnce(ordered);
  return ordered;
};

const sweptOnce = (layers: Layers): Layers => {
  const rows = new Map<string, number>();
  return layers.map((layer) => {
    const wished = layer.map((node, row) => {
      const before = node.requires.flatMap((name) => rows.get(name) ?? []);
      const mean = before.reduce((sum, one) => sum + one, 0) / before.length;
      return { node, wish: before.length === 0 ? row : mean };
    });
    const sorted = wished.toSorted((one, other) => one.wish - other.wish).map(({ node }) => node);
    for (const [row, { name }] of sorted.entries()) rows.set(name, row);
    return sorted;
  });
};

const widthOfBox = ({ name, type }: GraphNode): number =>
  Math.ceil(Math.max(Array.from(name).length, Array.from(type).length) * LETTER_WIDTH) +
  2 * BOX_PADDING;

const placed = (layers: Layers): readonly Box[] => {
  const rowsMax = layers.reduce((most, layer) => Math.max(most, layer.length), 0);
  let x = MARGIN;
  return layers.flatMap((layer) => {
    const width = layer.reduce((most, node) => Math.max(most, widthOfBox(node)), 0);
    const top = MARGIN + ((rowsMax - layer.length) * ROW_HEIGHT) / 2;
    const boxes = layer.map((node, row) => ({ ...node, x, y: top + row * ROW_HEIGHT, width }));
    x += width + LAYER_GAP;
    return boxes;
  });
};

const arrowLine = (from: Box, to: Box): string => {
  const [x1, y1] = [from.x, from.y + BOX_HEIGHT / 2];
  const [x2, y2] = [to.x + to.width, to.y + BOX_HEIGHT / 2];
  const bend = LAYER_GAP / 2;
  return `  <path d="M${x1} ${y1}C${x1 - bend} ${y1} ${x2 + bend} ${y2} ${x2} ${y2}" fill="none" stroke="#555" marker-end="url(#tip)"/>`;
};

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** XML does not allow control characters, not even as escapes. */
const escapedXml = (text: string): string =>
  text.replace(/\p{Cc}/gu, " ").replace(/[&<>]/g, (character) => ESCAPES[character] ?? "");

const boxLines = ({ name, type, x, y, width }: Box): readonly string[] => {
  const middle = x + width / 2;
  return [
    `  <rect x="${x}" y="${y}" width="${width}" height="${BOX_HEIGHT}" rx="4" fill="#eef3fb" stroke="#335"/>`,
    `  <text x="${middle}" y="${y + 17}" text-anchor="middle" font-weight="bold">${escapedXml(name)}</text>`,
    `  <text x="${middle}" y="${y + 32}" text-anchor="middle" fill="#555">${escapedXml(type)}</text>`,
  ];
};

const DRAWINGS = { dot: dotLines, mermaid: mermaidLines, svg: svgLines };
