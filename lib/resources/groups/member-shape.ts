/** The definition of a scaling group's members as written, with Heat's texts. */
import { RequestError, validationFailed } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { MEMBER_VERSION } from "#lib/stack/group-template.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import { misfitIn } from "#lib/template/resource-shape.ts";

/** Heat reads the definition by this name. */
const NAME = "member";

const pythonError = (name: string, message: string): RequestError =>
  new RequestError(name, 400, message);

/**
 * Throws for a definition that cannot be one. As in Heat, words of later versions, such as
 * `condition`, have no effect. Nor has a dependency on what the nested stack does not have.
 */
export const checkMemberShape = (body: JsonObject): void => {
  if (!Object.hasOwn(body, "type")) {
    throw pythonError("KeyError", `'Resource ${NAME} is missing "type"'`);
  }
  const misfit = misfitIn(NAME, body, MEMBER_VERSION);
  if (misfit !== null) throw pythonError("TypeError", misfit);
  const before = member(body, "depends_on") ?? null;
  if (isJsonArray(before) && before.some((name) => typeof name !== "string")) {
    throw validationFailed(`Resource ${NAME} depends_on must be a list of strings`);
  }
  if (body["type"] === "") throw validationFailed("Each Resource must contain a Type key.");
};
