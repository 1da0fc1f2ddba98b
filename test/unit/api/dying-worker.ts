/**
 * A worker that dies in a creation, after the object was made at a provider that ignores tokens.
 * Nobody can find out then whether there is an object: the creation is lost.
 */
import type { JsonObject } from "#lib/json.ts";
import type { Handler, ResourceType, ResourceTypes } from "#lib/ports/resource-type.ts";

/** The type of the provider that ignores tokens. */
export const TOKENLESS = "Hearth::Test::Tokenless";

/** One worker dies: the first that creates a resource with such properties. */
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
        // A dead worker never goes on.
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
