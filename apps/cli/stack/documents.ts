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
import { badUsage } from "../failure.ts";
import { addWaitOptions, collect } from "../options.ts";
import { jsonText, maskedJsonText, tableLines, writeLines } from "../print.ts";
import { openPrivateFile } from "../private-file.ts";
import { openSession, readOptions, type Session } from "../session.ts";
import { fileUrl, readSource } from "../template/source-file.ts";
import { followOperation, makeStack, operate, readPairs } from "./follow.ts";

const CreateOptions = z.object({ name: z.string().optional(), wait: z.boolean() });
const ListOptions = z.object({ long: z.boolean().default(false) });
const WaitOptions = z.object({ wait: z.boolean() });
const AbandonOptions = z.object({ outputFile: z.string().optional() });
const AdoptOptions = z.object({
  adoptFile: z.string(),
  parameter: z.array(z.string()).default([]),
  enableRollback: z.boolean().optional(),
  wait: z.boolean(),
});

export const addDocumentCommands = (stack: Command): void => {
  addSnapshotCommands(stack.command("snapshot").summary("saved states of a stack"));
  stack
    .command("abandon <stack>")
    .summary("forget a stack but keep its objects; prints the document for adopt")
    .option("--output-file <file>", "write the document there")
    .action(abandon);
  addWaitOptions(stack.command("adopt <name>"))
    .summary("make a stack of an abandoned one's objects")
    .requiredOption("--adopt-file <file>", "the document that abandon has printed")
    .option("--parameter <name=value>", "a parameter; may be repeated", collect)
    .option("--enable-rollback", "forget the objects again on failure")
    .action(adopt);
};

const addSnapshotCommands = (snapshot: Command): void => {
  addWaitOptions(snapshot.command("create <stack>"))
    .summary("save the state of a stack")
    .option("--name <name>", "the snapshot's name")
    .action(take);
  snapshot
    .command("list <stack>")
    .summary("the snapshots of a stack, oldest first")
    .option("--long", "with ids")
    .action(list);
  snapshot.command("show <stack> <snapshot>").summary("a snapshot with its data").action(show);
  snapshot.command("delete <stack> <snapshot>").summary("delete a snapshot").action(remove);
  addWaitOptions(snapshot.command("restore <stack> <snapshot>"))
    .summary("update a stack to a snapshot")
    .action(restore);
};

const take = async (nameOrId: string, _options: unknown, command: Command): Promise<void> => {
  const session = openSession(command);
  const { name, wait } = readOptions(CreateOptions, command);
  const stack = await session.client.findStack(nameOrId);
  const marker = await lastEventId(session.client, stack, pause);
  const path = `${stackPath(stack)}/snapshots`;
  const made = await session.client.request("POST", path, SnapshotShape, { name: name ?? null });
  if (!wait) return session.print({ snapshot: made }, () => [made.id]);
  const goodEnds = ["SNAPSHOT_COMPLETE"];
  await followOperation(session, { stack, verb: "SNAPSHOT", marker, goodEnds });
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

const list = async (nameOrId: string, _options: unknown, command: Command): Promise<void> => {
  const session = openSession(command);
  const { long } = readOptions(ListOptions, command);
  const stack = await session.client.findStack(nameOrId);
  const snapshots = await snapshotsOf(session, stack);
  const cells = ({ name, status, creation_time, id }: Snapshot) => [
    name || id,
    status,
    creation_time,
    ...(long ? [id] : []),
  ];
  const headers = ["NAME", "STATUS", "CREATED", ...(long ? ["ID"] : [])];
  session.print({ snapshots }, () => tableLines(headers, snapshots.map(cells)));
};

const show = async (
  nameOrId: string,
  id: string,
  _options: unknown,
  command: Command,
): Promise<void> => {
  const session = openSession(command);
  const path = await snapshotPath(session, await session.client.findStack(nameOrId), id);
  const answer = await session.client.request("GET", path, SnapshotAnswer);
  session.print(answer, () => [maskedJsonText(answer.snapshot)]);
};

const remove = async (
  nameOrId: string,
  id: string,
  _options: unknown,
  command: Command,
): Promise<void> => {
  const session = openSession(command);
  const path = await snapshotPath(session, await session.client.findStack(nameOrId), id);
  await session.client.request("DELETE", path, z.unknown());
  session.print({}, () => []);
};

const restore = async (
  nameOrId: string,
  id: string,
  _options: unknown,
  command: Command,
): Promise<void> => {
  const session = openSession(command);
  const { wait } = readOptions(WaitOptions, command);
  const stack = await session.client.findStack(nameOrId);
  const path = `${await snapshotPath(session, stack, id)}/restore`;
  await operate(session, stack, { verb: "RESTORE", wait }, () =>
    session.client.request("POST", path, z.unknown()),
  );
};

const abandon = async (nameOrId: string, _options: unknown, command: Command): Promise<void> => {
  const session = openSession(command);
  const { outputFile } = readOptions(AbandonOptions, command);
  const stack = await session.client.findStack(nameOrId);
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

const adopt = async (name: string, _options: unknown, command: Command): Promise<void> => {
  const session = openSession(command);
  const { adoptFile, parameter, enableRollback, wait } = readOptions(AdoptOptions, command);
  await makeStack(
    session,
    { verb: "ADOPT", wait },
    {
      stack_name: name,
      adopt_stack_data: readSource(fileUrl(adoptFile), adoptFile).text,
      parameters: readPairs("--parameter", parameter),
      disable_rollback: enableRollback !== true,
    },
  );
};
