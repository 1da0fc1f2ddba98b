/** Stacks as Heat's clients read them. */
import { stackBasis } from "#lib/engine/stacks/basis.ts";
import type { OutputView, StackView } from "#lib/engine/stacks/show-stack.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Stack } from "#lib/model/stack.ts";
import { link, stackUrl } from "./context.ts";
import { isoTime, isoTimeOrNull } from "./http.ts";

export const NO_DESCRIPTION = "No description";

const identity = (callersUrl: string, stack: Stack) => ({
  id: stack.id,
  links: [link(stackUrl(callersUrl, stack))],
});

const state = (stack: Stack) => ({
  stack_name: stack.name,
  stack_status: `${stack.action}_${stack.status}`,
  stack_status_reason: stack.statusReason,
  creation_time: isoTime(stack.createdAt),
  updated_time: isoTimeOrNull(stack.updatedAt),
  deletion_time: isoTimeOrNull(stack.deletedAt),
  stack_owner: null,
  parent: stack.owner?.stackId ?? null,
  stack_user_project_id: null,
});

/** The answer of a create. */
export const stackLink = identity;

/** One entry of a list. */
export const stackSummary = (callersUrl: string, stack: Stack): JsonObject => ({
  ...identity(callersUrl, stack),
  ...state(stack),
  description: "",
  tags: stack.tags.length > 0 ? [...stack.tags] : null,
});

export const outputDocument = (output: OutputView): JsonObject => ({
  output_key: output.key,
  description: output.description,
  output_value: output.value,
  ...(output.error === undefined ? {} : { output_error: output.error }),
});

export const stackDocument = (callersUrl: string, view: StackView): JsonObject => {
  const { stack, outputs } = view;
  const description = view.description || NO_DESCRIPTION;
  return {
    ...identity(callersUrl, stack),
    ...state(stack),
    description,
    template_description: description,
    parameters: view.parameters,
    ...(outputs === null ? {} : { outputs: outputs.map(outputDocument) }),
    capabilities: [],
    notification_topics: [],
    disable_rollback: stack.disableRollback,
    timeout_mins: stack.timeoutMins,
    tags: [...stack.tags],
    ...(stack.actor === null ? {} : { actor: stack.actor }),
    basis: stackBasis(stack),
  };
};
