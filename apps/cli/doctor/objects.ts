import { explainUnanswered } from "#client/unanswered.ts";
import { ObjectsAnswer, type ObjectsDocument } from "#lib/api/objects.ts";
import type { Asked } from "./ask.ts";
import { answersOf, type Finding } from "./finding.ts";

type Listed = ObjectsDocument["objects"][number];

/** Some marks have no room for the names. */
const originOf = ({ stack_id: id, stack_name: stack, resource_name: resource }: Listed): string => {
  if (stack === null || resource === null) return "";
  return `: it was made for ${resource} of ${stack}${id === null ? "" : ` (${id})`}`;
};

export const judgeObjects = (endpoint: string, asked: Asked): readonly Finding[] => {
  const { ok, warning, unchecked } = answersOf("objects");
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
      `${one.resource_type} ${one.physical_resource_id} carries Hearth's mark and belongs to no stack${originOf(one)}`,
      "Remove it at its provider if nobody needs it. Another Hearth, or another project with the same account, may have it: look before you do",
    ),
  );
  const reasons = [...new Set(untold.map(({ reason }) => reason))];
  const silent = reasons.map((reason) => {
    const types = untold.filter((one) => one.reason === reason);
    return unchecked(`${types.map(({ resource_type: type }) => type).join(", ")}: ${reason}`);
  });
  return strays.length > 0
    ? [...strays, ...silent]
    : [ok("every object that the providers list belongs to a stack"), ...silent];
};
