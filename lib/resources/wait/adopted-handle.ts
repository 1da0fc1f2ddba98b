/**
 * Adopts a handle. The former URL belongs to a deleted stack, so the handle is made anew. Its
 * former signals come from the document of the abandoned stack, so that a condition does not wait
 * again for machines that have already reported.
 */
import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import { jsonObject, wrongPlaces } from "#lib/json-schema.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Adoption, Handler, Progress } from "#lib/ports/resource-type.ts";
import { appendToWaitLog, readWaitLog, sentSignals, type WaitLogStore } from "./wait-log.ts";

const describe = async (
  store: WaitLogStore,
  { tenant, stackId, physicalResourceId: handleId }: Resource,
): Promise<JsonObject | null> => {
  if (handleId === null) return null;
  const log = await readWaitLog(store, { tenant, stackId, handleId });
  const since = log.slice(log.findLastIndex(({ entry }) => entry === "cleared") + 1);
  const sent = since.filter(({ entry }) => entry === "signal" || entry === "text");
  return sent.length === 0 ? null : jsonObject.parse({ signals: sent });
};

const invalid = (problem: string): Progress => ({
  state: "failed",
  reason: `The state of the handle is invalid: ${problem}`,
  errorType: "BadRequest",
});

/** A repeated call skips the signals that an earlier worker has already restored. */
const adopt =
  (engine: Ports, create: Handler): Handler =>
  async (call, context) => {
    const read = z.safeParse(sentSignals, call.adopted?.state ?? { signals: [] });
    if (!read.success) return invalid(wrongPlaces(read.error));
    const progress = await create(call, context);
    if (progress.state !== "finished" || !progress.physicalResourceId) return progress;
    const { tenant, stackId } = call;
    const handle = { tenant, stackId, handleId: progress.physicalResourceId };
    const log = await readWaitLog(engine, handle);
    const kept = log.filter(({ entry }) => entry === "signal" || entry === "text").length;
    for (const entry of read.data.signals.slice(kept)) await appendToWaitLog(engine, handle, entry);
    return progress;
  };

export const handleAdoption = (engine: Ports, create: Handler): Adoption => ({
  handleAdopt: adopt(engine, create),
  describe: (row) => describe(engine, row),
});
