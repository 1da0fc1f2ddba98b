/**
 * A machine that a provider reaches, for example by SSH. It is a server: its agent polls a document
 * of Hearth. The provider gets the URL in the property `hearth_boot`. What the provider reports
 * about the machine is stored for the diagnosis.
 */
import { mapOf, mergedMaps } from "#lib/json.ts";
import type { ServerFindings } from "#lib/model/sighting.ts";
import type { Ports, TimeLimit } from "#lib/ports/ports.ts";
import type {
  Handler,
  Progress,
  ProviderCall,
  ResourceSchema,
  ResourceType,
} from "#lib/ports/resource-type.ts";
import { providedType } from "#lib/resources/provided/provided-type.ts";
import { forgetServer, recordServer } from "#lib/resources/software/server-record.ts";
import { metadataUrl } from "#lib/software-config/agent-requests/urls.ts";
import { SERVER_SIGHTING_MS_MAX } from "#lib/software-config/diagnosis/limits.ts";
import { loadTemplate } from "#lib/stack/record/template-record.ts";
import type { Provider } from "#provider/provider.ts";
import { BOOT, type Prepare, serverOnCloud } from "../provided/cloud-server.ts";

export interface MachineProvider extends Provider {
  readonly serverId: (token: string) => string;
  readonly waitsFor: (handle: string) => string | null;
  readonly hasNotReached: (handle: string) => boolean;
}

export interface BoundMachines {
  readonly provider: MachineProvider;
  readonly limit: TimeLimit;
  readonly now: () => number;
}

/** The record is written first, so the agent finds a document at its first poll. */
const prepare: Prepare = async (engine, call, id) => {
  const loaded = await loadTemplate(engine, call.tenant, call.stackId, call.templateId);
  const url = metadataUrl(engine, await recordServer(engine, call, loaded, id));
  const properties = mergedMaps(call.properties, { [BOOT]: { metadata_url: url } });
  return { call: { ...call, properties }, attributes: {} };
};

/** What the provider saw, in the words of a provisioner's report, or null when nothing is new. */
const findingsOf = (
  { properties }: ProviderCall,
  progress: Progress,
  waitsFor: MachineProvider["waitsFor"],
): Partial<ServerFindings> | null => {
  const { address } = properties;
  const reportedAddresses = typeof address === "string" ? [address] : null;
  switch (progress.state) {
    case "finished":
      return { reportedStatus: "ACTIVE", reportedAddresses, reportedFault: null };
    case "failed":
      return { reportedStatus: "ERROR", reportedAddresses, reportedFault: progress.reason };
    case "waiting":
      return {
        reportedStatus: "BUILD",
        reportedAddresses,
        reportedFault: waitsFor(progress.handle),
      };
    case "replace":
      return null;
  }
};

const noted =
  (engine: Ports, { serverId, waitsFor }: MachineProvider, handle: Handler): Handler =>
  async (call, context) => {
    const progress = await handle(call, context);
    const id = call.physicalResourceId ?? serverId(call.token);
    const findings = call.action === "DELETE" ? null : findingsOf(call, progress, waitsFor);
    const server = findings === null ? null : await engine.softwareConfigs.getServer(id);
    // An external id may name a server of another stack.
    if (findings === null || server?.stackId !== call.stackId) return progress;
    const now = engine.clock.now();
    const expiresAt = now + SERVER_SIGHTING_MS_MAX;
    const { tenant, stackId } = call;
    const sighted = { tenant, stackId, serverId: id, expiresAt };
    await engine.softwareConfigs.noteServer(sighted, { ...findings, reportedAt: now });
    return progress;
  };

const UNREACHED = "unreached";

/**
 * Notes that no call has reached the machine yet. The note is removed during each call, because the
 * worker may die in it. Without the note, a delete asks the machine.
 */
const reaching =
  ({ hasNotReached }: MachineProvider, handle: Handler): Handler =>
  async (call, context) => {
    if (call.action !== "CREATE" && call.action !== "UPDATE") return handle(call, context);
    const isNoted = (await context.blobs.get(UNREACHED)) !== null;
    const isFirst =
      call.action === "CREATE" && call.physicalResourceId === null && call.isRepeated !== true;
    if (isNoted) await context.blobs.delete(UNREACHED);
    const progress = await handle(call, context);
    const isUnreached =
      (progress.state === "waiting" && hasNotReached(progress.handle)) ||
      // Such a failure includes a physical id once something was installed on the machine.
      (progress.state === "failed" && progress.physicalResourceId === undefined);
    if ((isNoted || isFirst) && isUnreached) await context.blobs.put(UNREACHED, UNREACHED);
    return progress;
  };

const removing =
  (engine: Ports, { waitsFor }: MachineProvider, handle: Handler): Handler =>
  async (call, context) => {
    if (call.action !== "DELETE") return handle(call, context);
    if ((await context.blobs.get(UNREACHED)) !== null) {
      const forgotten = await forgetServer(engine)(call, context);
      await context.blobs.delete(UNREACHED);
      return forgotten;
    }
    const progress = await handle(call, context);
    const silence = progress.state === "waiting" ? waitsFor(progress.handle) : null;
    if (!call.abandonsUnreachable || silence === null) return progress;
    const forgotten = await forgetServer(engine)(call, context);
    return { ...forgotten, note: `${silence}, and the user gave it up: the agent stays there` };
  };

const withNotes = (
  type: ResourceType,
  engine: Ports,
  provider: MachineProvider,
): ResourceType["lifecycle"] => {
  const { lifecycle } = type;
  const { handleCreate, handleUpdate, handleCheck, handleDelete, checkComplete } = lifecycle;
  const note = (handle: Handler): Handler =>
    removing(engine, provider, reaching(provider, noted(engine, provider, handle)));
  return {
    ...lifecycle,
    // With a replacement, everything deployed to the machine would lose its server.
    repairable: true,
    ...(handleCreate && { handleCreate: note(handleCreate) }),
    ...(handleUpdate && { handleUpdate: note(handleUpdate) }),
    ...(handleCheck && { handleCheck: note(handleCheck) }),
    ...(handleDelete && { handleDelete: note(handleDelete) }),
    ...(checkComplete && {
      checkComplete: (call, handle, context) =>
        note((given) => checkComplete(given, handle, context))(call, context),
    }),
  };
};

const withoutBoot = ({ properties, ...schema }: ResourceSchema): ResourceSchema => ({
  ...schema,
  properties:
    properties === "any"
      ? properties
      : mapOf(Object.entries(properties).filter(([name]) => name !== BOOT)),
});

/** Templates do not see the property `hearth_boot`. */
export const machineTypes = (
  engine: Ports,
  { provider, limit, now }: BoundMachines,
): readonly ResourceType[] =>
  Object.entries(provider.types).map(([name, type]) => {
    const own = providedType({ provider: provider.name, name, type, limit, now });
    const server = serverOnCloud(own, engine, provider.serverId, prepare);
    return {
      ...server,
      schema: withoutBoot(server.schema),
      lifecycle: withNotes(server, engine, provider),
      waiting: {
        ...server.waiting,
        explainWait: async ({ operation }) => provider.waitsFor(operation?.handle ?? ""),
      },
    };
  });
