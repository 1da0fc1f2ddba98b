/** `--objects`: what the providers have that carries Hearth's mark, and no stack of the project. */
import { explainUnanswered } from "#client/unanswered.ts";
import { ObjectsAnswer } from "#lib/api/objects.ts";
import type { Asked } from "./ask.ts";
import { answersOf, type Finding } from "./finding.ts";

const { ok, warning, unchecked } = answersOf("objects");

export const judgeObjects = (endpoint: string, asked: Asked): readonly Finding[] => {
  if (asked.kind === "unanswered") {
    return [unchecked(explainUnanswered(endpoint, asked.code).found)];
  }
  const answer = ObjectsAnswer.safeParse(asked.body);
  if (asked.status !== 200 || !answer.success) {
    return [unchecked(`the route of objects answers ${asked.status}; an older host has none`)];
  }
  const { objects, untold } = answer.data;
  const strays = objects.map((one) =>
    warning(
      `${one.resource_type} ${one.physical_resource_id} carries Hearth's mark and belongs to no stack: it was made for ${one.resource_name} of ${one.stack_name} (${one.stack_id})`,
      "Remove it at its provider if nobody needs it. Another Hearth may have it: look before you do",
    ),
  );
  const silent = untold.map(({ resource_type, reason }) =>
    unchecked(`${resource_type}: ${reason}`),
  );
  return strays.length > 0
    ? [...strays, ...silent]
    : [ok("every object that the providers list belongs to a stack"), ...silent];
};
