import type { GraphNode } from "#lib/authoring/template-graph.ts";

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
