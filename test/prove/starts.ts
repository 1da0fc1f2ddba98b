import { checkResource } from "#lib/convergence/converger.ts";
import { signalResource } from "#lib/convergence/signal-resource.ts";
import { handleDeadLetter } from "#lib/convergence/sweep/dead-letter.ts";
import { sweep } from "#lib/convergence/sweep/sweep.ts";
import { prepareTraversal } from "#lib/convergence/traversal/prepare.ts";
import {
  acceptTraversal,
  cancelWithoutRollback,
  createFirstTraversal,
} from "#lib/convergence/traversal/traversal.ts";
import type { StackAction } from "#lib/model/action.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { CheckResourceMessage, Message } from "#lib/ports/queue.ts";
import { Refusal } from "#lib/software-config/agent-requests/evidence.ts";
import { signalRow } from "#lib/software-config/signals/receive-signal.ts";
import { templatePrefix } from "#lib/stack/stored-places.ts";
import { signalKey } from "../simulation/world/types.ts";
import type { Configuration } from "./configuration.ts";

export const TENANT = "demo";
export const STACK_ID = "stack-1";

export interface Story {
  readonly key: string;
  readonly message: Message | null;
  readonly run: (ports: Ports) => Promise<unknown>;
}

const nameOf = (message: Message): string =>
  message.type === "prepare_traversal"
    ? `prepare ${message.traversalId}`
    : `${message.isUpdate ? "update" : "cleanup"} of ${message.resourceId} in ${message.traversalId}${leaseOf(message)}`;

/** The fields of a message beside its node make another story of it. */
const leaseOf = ({ kept }: CheckResourceMessage): string =>
  kept === undefined ? "" : ` under ${Object.values(kept).join(" ")}`;

export const visitOf = (
  { inline = false, partNodesMax }: Configuration,
  message: Message,
  isRepeated: boolean,
): Story => ({
  key: isRepeated ? `${nameOf(message)}, repeated` : nameOf(message),
  message,
  run: (ports) =>
    message.type === "prepare_traversal"
      ? prepareTraversal(ports, message, undefined, partNodesMax)
      : checkResource(ports, message, { remainingMs: () => (inline ? 60_000 : 0), isRepeated }),
});

export const deadLetterOf = (message: Message): Story => ({
  key: `dead letter: ${nameOf(message)}`,
  message: null,
  run: (ports) => handleDeadLetter(ports, message),
});

export const sweeping: Story = {
  key: "sweep",
  message: null,
  run: (ports) => sweep(ports),
};

/** With a wrong clock the sweeper sends messages again that are under way. */
export const sweepingAtOnce: Story = {
  key: "sweep at once",
  message: null,
  run: (ports) => sweep(ports, { overdueMsMin: 0 }),
};

const storeTemplate = async (ports: Ports, templateId: string | null): Promise<void> => {
  if (templateId !== null) await ports.blobs.put(templatePrefix(STACK_ID) + templateId, "");
};

export const creation = (config: Configuration, templateId: string): Story => ({
  key: `create ${templateId}`,
  message: null,
  run: async (ports) => {
    await storeTemplate(ports, templateId);
    return createFirstTraversal(ports, {
      tenant: TENANT,
      id: STACK_ID,
      name: "proven",
      description: "",
      templateId,
      timeoutMins: config.timeoutMins ?? 10_000,
      disableRollback: !(config.rollback ?? false),
      tags: [],
    });
  },
});

export const requestOf = (action: StackAction | "cancel", templateId: string | null): Story => ({
  key: `${action} ${templateId}`,
  message: null,
  run: async (ports) => {
    const stack = await ports.store.getStack(TENANT, STACK_ID);
    if (stack === null) return "no stack";
    if (action === "cancel") return (await cancelWithoutRollback(ports, stack)).accepted;
    await storeTemplate(ports, templateId);
    const kept = action === "ROLLBACK" ? (stack.lastGood ?? "empty") : stack.templateId;
    return acceptTraversal(ports, stack, { action, templateId: templateId ?? kept });
  },
});

export const policySignalOf = (policy: Resource, version: number): Story => ({
  key: `signal to ${policy.name} ${version}`,
  message: null,
  run: async (ports) => {
    try {
      return await signalRow(ports, policy, null);
    } catch (error) {
      if (error instanceof Refusal) return "refused";
      throw error;
    }
  },
});

export const signalOf = (row: Resource, generation: number, result: string): Story => ({
  key: `signal ${row.id} ${generation} ${result}`,
  message: null,
  run: async (ports) => {
    await ports.blobs.put(signalKey(row.id, generation), result);
    const target = { tenant: TENANT, stackId: STACK_ID, resourceId: row.id, generation };
    return signalResource(ports, target, { reason: "signal", final: true });
  },
});
