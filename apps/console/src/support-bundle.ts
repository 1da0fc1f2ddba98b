/**
 * One document with what a helper needs to know about a stack. The document has no template,
 * parameters, outputs, properties or attributes, because these may contain secrets. Signed URLs are
 * masked, and reasons end where they begin to quote a script.
 */
import * as z from "zod";
import type { Client } from "#client/client.ts";
import { maskingReplacer } from "#client/masked-urls.ts";
import { NESTED_LEVELS_MAX } from "#client/nested-paths.ts";
import { tryDiagnosis } from "#client/stack-diagnosis.ts";
import { isDeploymentType, readDiagnosis } from "./deployments.ts";
import { EVENTS_SHOWN_MAX, readStack, type Stack, type StackName } from "./stack-data.ts";

const Version = z.looseObject({});

const stackFacts = (stack: Stack) => ({
  id: stack.id,
  stack_name: stack.stack_name,
  stack_status: stack.stack_status,
  stack_status_reason: stack.stack_status_reason,
  creation_time: stack.creation_time,
  updated_time: stack.updated_time,
  parent: stack.parent,
  disable_rollback: stack.disable_rollback,
  timeout_mins: stack.timeout_mins,
});

/** From here on a reason or a verdict quotes the output of a script. */
const QUOTE = /(; stderr: |; the end of stderr: |, last line ").*/s;

export const withoutQuotes = (key: string, value: unknown): unknown =>
  typeof value === "string" ? maskingReplacer(key, value.replace(QUOTE, "$1(left out)")) : value;

export const supportBundle = async (
  client: Client,
  name: StackName,
  now: Date,
): Promise<string> => {
  const [version, stack, resources, events, explained] = await Promise.all([
    client.request("GET", "/build_info", Version),
    readStack(client, name),
    client.resources(name, { nestedDepth: NESTED_LEVELS_MAX, withRows: true }),
    client.events(name, {
      limit: EVENTS_SHOWN_MAX,
      sort_dir: "desc",
      nestedDepth: NESTED_LEVELS_MAX,
    }),
    tryDiagnosis(client, name),
  ]);
  const deployments = (explained?.diagnosis.resources ?? []).flatMap(
    ({ resource_type: type, physical_resource_id: id }) =>
      isDeploymentType(type) && id ? [id] : [],
  );
  const document = {
    hearth_support_bundle: 1,
    made: now.toISOString(),
    version,
    stack: stackFacts(stack),
    resources,
    events,
    diagnosis: explained?.diagnosis ?? null,
    deployments: await Promise.all(
      deployments.map(async (id) => {
        // The output of scripts may contain secrets.
        const { output_tail: _, ...told } = await readDiagnosis(client, id);
        return told;
      }),
    ),
  };
  return JSON.stringify(document, withoutQuotes, 2);
};
