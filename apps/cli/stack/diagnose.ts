import { openNestedPaths } from "#client/nested-paths.ts";
import {
  type ExplainedResource,
  isImplied,
  readDiagnosis,
  type StackDiagnosisAnswer,
} from "#client/stack-diagnosis.ts";
import type { WireStack } from "#client/wire.ts";
import { type Declaration, NO_OPTIONS, onStack } from "../declaration.ts";
import { EXIT_FAILED } from "../failure.ts";
import { oneLine, section, terminalWidth, wrapTo } from "../print.ts";

export const diagnose: Declaration = {
  usage: "diagnose <stack>",
  summary: "say what each unfinished resource waits for; exits with 1 if something is wrong",
  action: onStack(NO_OPTIONS, async (session, stack) => {
    const answer = await readDiagnosis(session.client, stack);
    session.print(answer, () => stackDiagnosisLines(stack, answer.diagnosis, terminalWidth()));
    if (answer.diagnosis.resources.some(isWrong)) process.exitCode = EXIT_FAILED;
  }),
};

type Explained = StackDiagnosisAnswer["diagnosis"];

export const causeText = ({ cause }: ExplainedResource): string =>
  `${cause.certain ? "" : "Probably: "}${oneLine(cause.summary)}`;

const omittedLines = ({ omitted }: Explained): string[] =>
  omitted === 0 ? [] : [`... and ${omitted} more that are not done`];

const indented = (text: string, indent: string, width: number): string[] =>
  wrapTo(text, width - indent.length).map((line) => `${indent}${line}`);

const adviceLines = ({ cause: { advice } }: ExplainedResource, width: number): string[] =>
  advice.flatMap((text) => indented(`- ${oneLine(text)}`, "  ", width));

const stackDiagnosisLines = (stack: WireStack, explained: Explained, width: number): string[] => {
  const paths = openNestedPaths(stack, explained.resources);
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

export const causeLines = (
  stack: Pick<WireStack, "id">,
  explained: Explained,
  width: number,
): string[] => {
  const paths = openNestedPaths(stack, explained.resources);
  const telling = explained.resources.filter((resource) => !isImplied(resource));
  const lines = telling.flatMap((resource) => [
    ...wrapTo(`${oneLine(paths.ofResource(resource))}: ${causeText(resource)}`, width - 2),
    ...(resource.cause.kind === "failed" ? adviceLines(resource, width - 2) : []),
  ]);
  return section("not done", [...lines, ...omittedLines(explained)]);
};

/**
 * Keyed by the resource of the stack itself. A nested stack has the cause of its first resource. A
 * resource that waits for others has none, because the tree shows it below them.
 */
export const causeByName = (
  stack: Pick<WireStack, "id">,
  explained: Explained,
): ReadonlyMap<string, string> => {
  const paths = openNestedPaths(stack, explained.resources);
  const causes = new Map<string, string>();
  for (const resource of explained.resources) {
    if (isImplied(resource)) continue;
    const [name = "", ...below] = paths.ofResource(resource).split("/");
    const text = below.length === 0 ? "" : `${below.join("/")}: `;
    if (!causes.has(name)) causes.set(name, `${text}${causeText(resource)}`);
  }
  return causes;
};

/** Keyed by path, without failed resources, because events have reported the failures. */
export const waitingCauses = (
  stack: Pick<WireStack, "id">,
  explained: Explained,
): ReadonlyMap<string, string> => {
  const paths = openNestedPaths(stack, explained.resources);
  const waiting = explained.resources.filter(
    (resource) => !isImplied(resource) && resource.cause.kind !== "failed",
  );
  return new Map(
    waiting.map((resource) => [oneLine(paths.ofResource(resource)), causeText(resource)]),
  );
};

const isWrong = ({ cause: { kind, stage } }: ExplainedResource): boolean =>
  kind === "failed" || kind === "unknown_outcome" || typeof stage === "number";
