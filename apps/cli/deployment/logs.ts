/** The output of a deployment's program: its end while the program runs, all of it afterwards. */
import { DeploymentAnswer, DiagnosisAnswer, deploymentPath } from "#client/deployments.ts";
import { pause } from "#client/pause.ts";
import { shownText } from "../print.ts";
import type { Session } from "../session.ts";

const FOLLOW_MS = 2_000;

export type Stream = "deploy_stdout" | "deploy_stderr";

const isUnderWay = async ({ client }: Session, id: string): Promise<boolean> => {
  const answer = await client.request("GET", deploymentPath(id), DeploymentAnswer);
  return answer.software_deployment.status === "IN_PROGRESS";
};

const liveEnd = async ({ client }: Session, id: string, stream: Stream): Promise<string | null> => {
  const path = `${deploymentPath(id)}/diagnosis`;
  const { diagnosis } = await client.request("GET", path, DiagnosisAnswer);
  return diagnosis.output_tail?.[stream] ?? null;
};

const whole = ({ client }: Session, id: string, stream: Stream): Promise<string> =>
  client.text(`${deploymentPath(id)}/output/${stream}`);

/** Both texts are ends of one output, so their longest overlap joins them. */
export const addedTo = (shown: string, next: string): string => {
  for (let overlap = Math.min(shown.length, next.length); overlap > 0; overlap -= 1) {
    if (next.startsWith(shown.slice(-overlap))) return next.slice(overlap);
  }
  return next;
};

export const restAfter = (shown: string, text: string): string => {
  const at = shown === "" ? -1 : text.lastIndexOf(shown);
  return at < 0 ? text : text.slice(at + shown.length);
};

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
  if (session.json) session.printNamed(document, () => []);
  else write(withLineEnd(text));
};

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
