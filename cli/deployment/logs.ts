/** What a deployment's program prints: its end while it runs, all of it afterwards. */
import { DeploymentAnswer, DiagnosisAnswer } from "#client/deployment-answers.ts";
import { deploymentPath } from "#client/find-deployment.ts";
import { pause } from "../pause.ts";
import type { Session } from "../session.ts";

const FOLLOW_MS = 2_000;

export type Stream = "deploy_stdout" | "deploy_stderr";

const isUnderWay = async ({ client }: Session, id: string): Promise<boolean> => {
  const answer = await client.request("GET", deploymentPath(id), DeploymentAnswer);
  return answer.software_deployment.status === "IN_PROGRESS";
};

/** As last heard from the server; null where it has not said anything yet. */
const liveEnd = async ({ client }: Session, id: string, stream: Stream): Promise<string | null> => {
  const path = `${deploymentPath(id)}/diagnosis`;
  const { diagnosis } = await client.request("GET", path, DiagnosisAnswer);
  return diagnosis.output_tail?.[stream] ?? null;
};

const whole = ({ client }: Session, id: string, stream: Stream): Promise<string> =>
  client.text(`${deploymentPath(id)}/output/${stream}`);

/** What `next` has beyond `shown`: the longest end of the one that begins the other joins them. Both are ends of one text. */
export const addedTo = (shown: string, next: string): string => {
  for (let overlap = Math.min(shown.length, next.length); overlap > 0; overlap -= 1) {
    if (next.startsWith(shown.slice(-overlap))) return next.slice(overlap);
  }
  return next;
};

/** What of the whole is after what was shown of it by ends. All of it where no end of it is found again. */
export const restAfter = (shown: string, text: string): string => {
  const at = shown === "" ? -1 : text.lastIndexOf(shown);
  return at < 0 ? text : text.slice(at + shown.length);
};

/** As it was printed, but a terminal is not to be steered by it. */
export const shownText = (text: string, isTerminal: boolean): string =>
  isTerminal ? text.replaceAll(/[^\P{Cc}\n\t]/gu, "") : text;

const write = (text: string): void => {
  if (text !== "") process.stdout.write(shownText(text, process.stdout.isTTY));
};

const withLineEnd = (text: string): string =>
  text === "" || text.endsWith("\n") ? text : `${text}\n`;

export const printLog = async (session: Session, id: string, stream: Stream): Promise<void> => {
  const underWay = await isUnderWay(session, id);
  const text = underWay
    ? ((await liveEnd(session, id, stream)) ?? "")
    : await whole(session, id, stream);
  const document = { deployment_id: id, [stream]: text, complete: !underWay };
  if (session.json) session.print(document, () => []);
  else write(withLineEnd(text));
};

/** Until the action that is under way has ended. Ctrl-C ends it earlier, as it ends `tail -f`. */
export const followLog = async (session: Session, id: string, stream: Stream): Promise<void> => {
  let shown = "";
  while (await isUnderWay(session, id)) {
    const next = await liveEnd(session, id, stream);
    if (next !== null && next !== shown) {
      write(addedTo(shown, next));
      shown = next;
    }
    await pause(FOLLOW_MS);
  }
  write(withLineEnd(restAfter(shown, await whole(session, id, stream))));
};
