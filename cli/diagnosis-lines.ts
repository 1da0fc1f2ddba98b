/** The diagnosis of a stack for people: pure functions from answers to lines. */
import { openNestedPaths } from "#client/nested-paths.ts";
import {
  type ExplainedResource,
  isImplied,
  type StackDiagnosisAnswer,
} from "#client/stack-diagnosis.ts";
import type { WireStack } from "#client/wire.ts";
import { oneLine, section } from "./print.ts";
import { wrapTo } from "./text-width.ts";

type Explained = StackDiagnosisAnswer["diagnosis"];

/** The summary in one line. A guess says that it is one. */
export const causeText = ({ cause }: ExplainedResource): string =>
  `${cause.certain ? "" : "Probably: "}${oneLine(cause.summary)}`;

const pathsOf = (stack: Pick<WireStack, "id">, { resources }: Explained) => {
  const paths = openNestedPaths(stack);
  paths.learnResources(resources);
  return paths;
};

const omittedLines = ({ omitted }: Explained): string[] =>
  omitted === 0 ? [] : [`... and ${omitted} more that are not done`];

const indented = (text: string, indent: string, width: number): string[] =>
  wrapTo(text, width - indent.length).map((line) => `${indent}${line}`);

const adviceLines = ({ cause: { advice } }: ExplainedResource, width: number): string[] =>
  advice.flatMap((text) => indented(`- ${oneLine(text)}`, "  ", width));

/** One paragraph for each resource: what holds it up, and what to do about it. */
export const stackDiagnosisLines = (
  stack: WireStack,
  explained: Explained,
  width: number,
): string[] => {
  const paths = pathsOf(stack, explained);
  const paragraphs = explained.resources.flatMap((resource) => [
    `${oneLine(paths.ofResource(resource))}  ${resource.resource_status}`,
    ...indented(causeText(resource), "  ", width),
    ...adviceLines(resource, width),
  ]);
  const count = explained.resources.length + explained.omitted;
  const head = `${stack.stack_name} is ${stack.stack_status}`;
  return [
    count === 0 ? `${head}; no resource waits or has failed.` : `${head}:`,
    ...paragraphs,
    ...omittedLines(explained),
  ];
};

/** A short form for the end of `stack show`. */
export const causeLines = (
  stack: Pick<WireStack, "id">,
  explained: Explained,
  width: number,
): string[] => {
  const paths = pathsOf(stack, explained);
  const telling = explained.resources.filter((resource) => !isImplied(resource));
  const lines = telling.flatMap((resource) => [
    ...wrapTo(`${oneLine(paths.ofResource(resource))}: ${causeText(resource)}`, width - 2),
    // What has failed says more in its log. The advice about what waits is `stack diagnose`'s.
    ...(resource.cause.kind === "failed" ? adviceLines(resource, width - 2) : []),
  ]);
  return section("not done", [...lines, ...omittedLines(explained)]);
};

/**
 * By the resource of the stack itself. A nested stack says what holds up its first resource.
 * What has not begun says nothing: the tree shows below what it stands.
 */
export const causeByName = (
  stack: Pick<WireStack, "id">,
  explained: Explained,
): ReadonlyMap<string, string> => {
  const paths = pathsOf(stack, explained);
  const causes = new Map<string, string>();
  for (const resource of explained.resources) {
    if (isImplied(resource)) continue;
    const [name = "", ...below] = paths.ofResource(resource).split("/");
    const text = below.length === 0 ? "" : `${below.join("/")}: `;
    if (!causes.has(name)) causes.set(name, `${text}${causeText(resource)}`);
  }
  return causes;
};

/** The same for all paths, without what has failed: an event has told the failure. */
export const waitingCauses = (
  stack: Pick<WireStack, "id">,
  explained: Explained,
): ReadonlyMap<string, string> => {
  const paths = pathsOf(stack, explained);
  const waiting = explained.resources.filter(
    (resource) => !isImplied(resource) && resource.cause.kind !== "failed",
  );
  return new Map(
    waiting.map((resource) => [oneLine(paths.ofResource(resource)), causeText(resource)]),
  );
};

/** A failure, or a deployment that is stuck at one of the places of its way. */
export const isWrong = ({ cause: { kind, stage } }: ExplainedResource): boolean =>
  kind === "failed" || kind === "unknown_outcome" || typeof stage === "number";
