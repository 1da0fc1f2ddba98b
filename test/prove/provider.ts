import type { FakeAnswer, FakeObject } from "#lib/ports/fake-provider.ts";
import type { Request } from "./requests.ts";
import type { ProviderState } from "./state.ts";

export type ProviderRequest = Extract<
  Request,
  { name: "fakeProvider.create" | "fakeProvider.update" | "fakeProvider.delete" }
>;

export const effectOf = (
  objects: ProviderState["objects"],
  request: ProviderRequest,
  now: number,
): { objects: ProviderState["objects"]; answer: FakeAnswer } => {
  const { waitMs } = request.with[0];
  const started = (physicalId: string): FakeAnswer =>
    waitMs > 0
      ? { state: "working", physicalId, readyAt: now + waitMs }
      : { state: "done", physicalId };
  if (request.name === "fakeProvider.create") {
    const { token, waitMs: _, ...object } = request.with[0];
    // The id is derived from the token, so that the order of two creations makes no difference.
    const physicalId = `object of ${token}`;
    const made: FakeObject = { ...object, physicalId };
    return { objects: { ...objects, [token]: made }, answer: started(physicalId) };
  }
  const { physicalId } = request.with[0];
  const found = Object.entries(objects).find(([, one]) => one.physicalId === physicalId);
  if (request.name === "fakeProvider.update") {
    if (found === undefined) return { objects, answer: { state: "missing" } };
    const changed = { ...found[1], properties: request.with[0].properties };
    return { objects: { ...objects, [found[0]]: changed }, answer: started(physicalId) };
  }
  if (found === undefined) return { objects, answer: { state: "done", physicalId } };
  const { [found[0]]: _gone, ...rest } = objects;
  return { objects: rest, answer: started(physicalId) };
};

export const pollOf = (provider: ProviderState, token: string, now: number): FakeAnswer => {
  const answer = provider.answers[token];
  if (answer === undefined) return { state: "missing" };
  const isOver = answer.state === "working" && answer.readyAt <= now;
  return isOver ? { state: "done", physicalId: answer.physicalId } : answer;
};
