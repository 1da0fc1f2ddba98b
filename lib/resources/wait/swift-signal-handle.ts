import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, ResourceType, TextUploads } from "#lib/ports/resource-type.ts";
import { OWN_LIFECYCLE } from "../lifecycles.ts";
import {
  checkSignalSize,
  deleteHandle,
  handleAdoption,
  handleUrl,
  makeHandle,
  waitHandleOf,
  wakeWaiters,
} from "./signal-handle.ts";
import { appendToWaitLog } from "./wait-log.ts";

const TYPE = "OS::Heat::SwiftSignalHandle";

export const isSwiftSignalHandle = (type: string): boolean => type === TYPE;

const createHandle =
  (engine: Ports): Handler =>
  async (call) => {
    const id = await makeHandle(engine, call);
    const url = handleUrl(engine, call, id);
    return {
      state: "finished",
      physicalResourceId: id,
      // As in Heat, the empty `token` lets a template exchange the two kinds of handles.
      attributes: { token: "", endpoint: url, curl_cli: `curl -i -X PUT '${url}'` },
      refId: url,
    };
  };

/** Like Swift, this accepts any text. The SwiftSignal that waits for the texts parses them. */
const keepText =
  (engine: Ports): TextUploads["handleText"] =>
  async (row: Resource, text: string) => {
    checkSignalSize(text);
    const log = await appendToWaitLog(engine, waitHandleOf(row), { entry: "text", text });
    await wakeWaiters(engine, row, log);
  };

/** Heat has a temporary URL of Swift here, and Hearth has a URL of its own. */
export const swiftSignalHandle = (engine: Ports): ResourceType => ({
  type: TYPE,
  schema: {
    description: "A URL to signal to by PUT, as to a temporary URL of Swift, and what was put.",
    support: { since: "2014.2" },
    properties: {},
    attributes: {
      token: {
        description:
          "Always empty, as the URL needs no token. OS::Heat::WaitConditionHandle has such an attribute.",
        type: "string",
      },
      endpoint: { description: "The URL to signal to.", type: "string" },
      curl_cli: {
        description:
          "The start of a curl command that signals. Add the status as JSON with --data-binary.",
        type: "string",
      },
    },
  },
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate: createHandle(engine),
    handleDelete: deleteHandle(engine),
  },
  adoption: handleAdoption(engine, createHandle(engine)),
  textUploads: { handleText: keepText(engine) },
});
