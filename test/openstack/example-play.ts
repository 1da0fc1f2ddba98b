/**
 * OpenStack's own example of a software deployment, unmodified, through a host. It is created and
 * updated meanwhile, then updated to something impossible and rolled back, and deleted.
 */
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import type { Result } from "../contract/spoilt-operations.ts";
import { heatExample } from "../lanes/heat-templates.ts";

const TEMPLATE = "example-script-template.yaml";
const SCRIPT = "config-scripts/example-script.sh";
const NAME = "example";
const LOOK_MS = 300;

const found = z.object({
  stack: z.object({
    id: z.string(),
    stack_status: z.string(),
    stack_status_reason: z.string(),
    outputs: z._default(
      z.array(z.object({ output_key: z.string(), output_value: z.unknown() })),
      [],
    ),
  }),
});

type Stack = z.infer<typeof found>["stack"];

interface Given {
  readonly url: string;
  readonly keyName: string;
  readonly msMax: number;
}

const stacks = ({ url }: Given): string => `${url}/v1/demo/stacks`;

const look = async (given: Given): Promise<Stack | null> => {
  const answer = await fetch(`${stacks(given)}/${NAME}`);
  return answer.status === 404 ? null : found.parse(await answer.json()).stack;
};

const until = async (
  given: Given,
  isWanted: (stack: Stack | null) => boolean,
): Promise<Stack | null> => {
  const end = Date.now() + given.msMax;
  let stack = await look(given);
  while (!isWanted(stack) && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    stack = await look(given);
  }
  return stack;
};

const isEnded = (stack: Stack | null): boolean =>
  stack?.stack_status.endsWith("_IN_PROGRESS") !== true;

const send = async (url: string, method: string, body: object): Promise<string | null> => {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) });
  return answer.ok ? null : `${method}: ${answer.status} ${await answer.text()}`;
};

const bodyOf = ({ keyName }: Given, flavor: string) => ({
  stack_name: NAME,
  template: readFileSync(heatExample(TEMPLATE), "utf8"),
  files: { [SCRIPT]: readFileSync(heatExample(SCRIPT), "utf8") },
  parameters: { key_name: keyName, flavor, image: "cirros" },
  timeout_mins: 10,
});

const outputOf = (stack: Stack | null, key: string): string =>
  String(stack?.outputs.find(({ output_key: name }) => name === key)?.output_value ?? "");

const wrongIn = (stack: Stack | null, status: string): readonly string[] => [
  ...(stack?.stack_status === status
    ? []
    : [`${stack?.stack_status ?? "gone"}: ${stack?.stack_status_reason ?? ""}`]),
  ...(outputOf(stack, "status_code") === "0"
    ? []
    : [`status_code ${outputOf(stack, "status_code")}`]),
  ...(/ contains fooooo for server /.test(outputOf(stack, "result"))
    ? []
    : [`result ${outputOf(stack, "result")}`]),
];

export const playExample = async (given: Given): Promise<readonly Result[]> => {
  const refused = await send(stacks(given), "POST", bodyOf(given, "m1.tiny"));
  const begun = await until(given, (stack) => stack !== null);
  const own = `${stacks(given)}/${NAME}/${begun?.id}`;
  const late = isEnded(begun) ? ["it was not creating any more"] : [];
  const change = await send(own, "PUT", bodyOf(given, "m1.small"));
  const updated = await until(given, isEnded);
  const wrong = { ...bodyOf(given, "nonesuch"), disable_rollback: false };
  const failing = await send(own, "PUT", wrong);
  const rolledBack = await until(given, isEnded);
  const removal = await send(own, "DELETE", {});
  const gone = await until(given, (stack) => stack === null || isEnded(stack));
  const named = (name: string, ...all: readonly (readonly string[])[]): Result => ({
    name: `${TEMPLATE}: ${name}`,
    wrong: all.flat(),
  });
  const told = (text: string | null): readonly string[] => (text === null ? [] : [text]);
  return [
    named(
      "created, and changed meanwhile",
      told(refused),
      late,
      told(change),
      wrongIn(updated, "UPDATE_COMPLETE"),
    ),
    named("rolled back", told(failing), wrongIn(rolledBack, "ROLLBACK_COMPLETE")),
    named(
      "deleted",
      told(removal),
      gone === null ? [] : [`${gone.stack_status}: ${gone.stack_status_reason}`],
    ),
  ];
};
