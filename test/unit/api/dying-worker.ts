/**
 * A worker dies in a creation after the provider has made the object. The provider ignores tokens,
 * so nobody can find out whether the object exists: the creation is lost.
 */
import type { JsonObject } from "#lib/json.ts";
import type { Handler, ResourceType, ResourceTypes } from "#lib/ports/resource-type.ts";

export const TOKENLESS = "Hearth::Test::Tokenless";

export const dyingWorker = (isFatal: (properties: JsonObject) => boolean = () => true) => {
  let isFirst = true;
  let die = (): void => undefined;
  const died = new Promise<"died">((resolved) => {
    die = () => resolved("died");
  });
  const dying = (type: ResourceType, create: Handler): ResourceType => ({
    ...type,
    lifecycle: {
      ...type.lifecycle,
      handleCreate: async (call, context) => {
        const progress = await create(call, context);
        if (!isFirst || !isFatal(call.properties)) return progress;
        isFirst = false;
        die();
        // A dead worker never goes on, so this promise never settles.
        return new Promise(() => undefined);
      },
    },
  });
  const extend = (types: ResourceTypes): ResourceTypes => ({
    ...types,
    get: async (name) => {
      const type = await types.get(name);
      const create = type?.lifecycle.handleCreate;
      const isOther = type === null || name !== TOKENLESS || create === undefined;
      return isOther ? type : dying(type, create);
    },
  });
  return { extend, died };
};
