import type { Command } from "commander";
import { z } from "zod";
import { stackPath } from "#client/client.ts";
import { pause } from "#client/pause.ts";
import { lastEventId } from "#client/wait.ts";
import {
  type Snapshot,
  SnapshotAnswer,
  SnapshotShape,
  SnapshotsAnswer,
  type WireStack,
} from "#client/wire.ts";
import { type Declaration, declare, NO_OPTIONS, onHost, onStack } from "../declaration.ts";
import { badUsage, CommandFailed } from "../failure.ts";
import { flag, option, WaitOptions, yes } from "../options.ts";
import { jsonText, maskedJsonText, tableLines, writeLines } from "../print.ts";
import { openPrivateFile } from "../private-file.ts";
import { confirm, refuseWithoutTerminal } from "../question.ts";
import type { Session } from "../session.ts";
import { fileUrl, readSource } from "../template/source-file.ts";
import { parameter } from "../template/template-options.ts";
import { withContents } from "./actions.ts";
import { followOperation, makeStack, operate, waitForEnd } from "./follow.ts";

export const addDocumentCommands = (stack: Command): void => {
  const snapshot = stack.command("snapshot").summary("saved states of a stack");
  declare(snapshot, take, list, show, remove, restore);
  declare(stack, abandon, adopt);
};

const take: Declaration = {
  usage: "create <stack>",
  summary: "save the state of a stack",
  action: onStack(
    WaitOptions.extend({
      name: option("--name <name>", "the snapshot's name", z.string().optional()),
    }),
    async (session, stack, { name = null, wait }) => {
      const marker = await lastEventId(session.client, stack, pause);
      const path = `${stackPath(stack)}/snapshots`;
      const made = await session.client.request("POST", path, SnapshotShape, { name });
      if (!wait) return session.print({ snapshot: made }, () => [made.id]);
      const goodEnds = ["SNAPSHOT_COMPLETE"];
      await followOperation(session, { stack, verb: "SNAPSHOT", marker, goodEnds });
    },
  ),
};

const snapshotsOf = async ({ client }: Session, stack: WireStack): Promise<readonly Snapshot[]> =>
  (await client.request("GET", `${stackPath(stack)}/snapshots`, SnapshotsAnswer)).snapshots;

const snapshotPath = async (session: Session, stack: WireStack, place: string): Promise<string> => {
  const named = (await snapshotsOf(session, stack)).filter(({ name }) => name === place);
  if (named.length > 1) {
    throw badUsage(
      `${stack.stack_name} has ${named.length} snapshots ${place}: name one by its id.`,
    );
  }
  return `${stackPath(stack)}/snapshots/${encodeURIComponent(named[0]?.id ?? place)}`;
};

const list: Declaration = {
  usage: "list <stack>",
  summary: "the snapshots of a stack, oldest first",
  action: onStack(
    z.object({ long: flag("--long", "with ids") }),
    async (session, stack, { long }) => {
      const snapshots = await snapshotsOf(session, stack);
      const cells = ({ name, status, creation_time, id }: Snapshot) => [
        name || id,
        status,
        creation_time,
        ...(long ? [id] : []),
      ];
      const headers = ["NAME", "STATUS", "CREATED", ...(long ? ["ID"] : [])];
      session.print({ snapshots }, () => tableLines(headers, snapshots.map(cells)));
    },
  ),
};

const show: Declaration = {
  usage: "show <stack> <snapshot>",
  summary: "a snapshot with its data",
  action: onStack(NO_OPTIONS, async (session, stack, _options, place: string) => {
    const path = await snapshotPath(session, stack, place);
    const answer = await session.client.request("GET", path, SnapshotAnswer);
    session.print(answer, () => [maskedJsonText(answer.snapshot)]);
  }),
};

const remove: Declaration = {
  usage: "delete <stack> <snapshot>",
  summary: "delete a snapshot",
  action: onStack(NO_OPTIONS, async (session, stack, _options, place: string) => {
    const path = await snapshotPath(session, stack, place);
    await session.client.request("DELETE", path, z.unknown());
    session.print({}, () => []);
  }),
};

const restore: Declaration = {
  usage: "restore <stack> <snapshot>",
  summary: "update a stack to a snapshot",
  action: onStack(WaitOptions, async (session, stack, { wait }, place: string) => {
    const path = `${await snapshotPath(session, stack, place)}/restore`;
    const send = () => session.client.request("POST", path, z.unknown());
    await operate(session, stack, { verb: "RESTORE", wait }, send);
  }),
};

const AbandonOptions = WaitOptions.extend({
  yes,
  outputFile: option("--output-file <file>", "write the document there", z.string().optional()),
});

const abandon: Declaration = {
  usage: "abandon <stack>",
  summary: "forget a stack but keep its objects; prints the document for adopt",
  examples: ["stack abandon web --output-file web.json", "stack adopt web --adopt-file web.json"],
  action: onStack(AbandonOptions, async (session, stack, { outputFile, wait, yes: isAgreed }) => {
    if (!isAgreed) await askToAbandon(session, stack);
    const marker = await lastEventId(session.client, stack, pause);
    await takeDocument(session, stack, outputFile);
    const goodEnds = ["DELETE_COMPLETE"];
    // Standard output has the document, so the progress is not shown there.
    const silent = { ...session, json: true, print: () => undefined };
    if (wait) await waitForEnd(silent, { stack, verb: "DELETE", marker, goodEnds });
  }),
};

const askToAbandon = async (session: Session, stack: WireStack): Promise<void> => {
  refuseWithoutTerminal();
  const question = `Forget ${await withContents(session, stack)}, but keep its objects? [y/N] `;
  if (!(await confirm(question))) throw new CommandFailed("Nothing was abandoned.");
};

const takeDocument = async (
  session: Session,
  stack: WireStack,
  outputFile: string | undefined,
): Promise<void> => {
  const path = `${stackPath(stack)}/abandon`;
  const ask = () => session.client.request("DELETE", path, z.unknown());
  if (outputFile === undefined) return writeLines([jsonText(await ask())]);
  // After the request the document exists nowhere else, so the file is opened before it.
  const file = openPrivateFile(outputFile);
  const document = await ask().catch((error: unknown) => {
    file.discard();
    throw error;
  });
  try {
    file.write(`${jsonText(document)}\n`);
  } catch (error) {
    writeLines([jsonText(document)]);
    throw error;
  }
};

const AdoptOptions = z.object({
  adoptFile: option("--adopt-file <file>", "the document that abandon has printed", z.string()),
  parameter,
  enableRollback: flag("--enable-rollback", "forget the objects again on failure"),
  ...WaitOptions.shape,
});

const adopt: Declaration = {
  usage: "adopt <name>",
  summary: "make a stack of an abandoned one's objects",
  action: onHost(AdoptOptions, async (session, options, name: string) => {
    const { adoptFile, enableRollback, wait } = options;
    const { givenParameters } = await import("../template/given-parameters.ts");
    const body = {
      stack_name: name,
      adopt_stack_data: readSource(fileUrl(adoptFile), adoptFile).text,
      parameters: givenParameters(options),
      disable_rollback: !enableRollback,
    };
    await makeStack(session, { verb: "ADOPT", wait }, body);
  }),
};
