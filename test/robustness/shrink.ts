import type { Input, PlayedRequest } from "./input.ts";

const ATTEMPTS_MAX = 400;
const SHRINKING_MS_MAX = 60_000;

type Fails = (input: Input) => Promise<boolean>;

const withoutPart = (parts: readonly string[], from: number, count: number): string =>
  parts.filter((_, at) => at < from || at >= from + count).join("");

const pieces = (text: string): readonly string[] =>
  text.includes("\n") ? text.split(/(?<=\n)/) : text.split(/(?<=[,{}[\]])/);

const shorter = async (
  text: string,
  keeps: (shorterText: string) => Promise<boolean>,
): Promise<string> => {
  let parts = pieces(text);
  for (let size = Math.ceil(parts.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let from = 0; from < parts.length; ) {
      const candidate = withoutPart(parts, from, size);
      if (await keeps(candidate)) parts = pieces(candidate);
      else from += size;
    }
  }
  return parts.join("");
};

export const shrunk = async (input: Input, fails: Fails): Promise<Input> => {
  let attempts = 0;
  const giveUpAt = performance.now() + SHRINKING_MS_MAX;
  let { request } = input;
  const tries = async (candidate: PlayedRequest): Promise<boolean> => {
    attempts += 1;
    if (attempts > ATTEMPTS_MAX || performance.now() > giveUpAt) return false;
    if (!(await fails({ ...input, request: candidate }))) return false;
    request = candidate;
    return true;
  };
  await tries({ ...request, files: {}, environmentFiles: [] });
  await tries({ ...request, environment: null });
  await tries({ ...request, parameters: {} });
  const { template } = request;
  const asText = typeof template === "string" ? template : JSON.stringify(template);
  if (template === asText || (await tries({ ...request, template: asText }))) {
    await shorter(asText, (text) => tries({ ...request, template: text }));
  }
  for (const [name, file] of Object.entries(request.files)) {
    await shorter(file, (text) => tries({ ...request, files: { ...request.files, [name]: text } }));
  }
  return { ...input, request };
};
