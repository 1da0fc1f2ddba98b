/** Per server: what is delivered, and where it stands. */
import { useMemo } from "preact/hooks";
import type { Deployment } from "#client/deployment-answers.ts";
import { byServer, deploymentTone, readDeployments } from "./deployments.ts";
import { useLive, useRepeated } from "./hooks.ts";
import { Failure, Pill, Waiting, When } from "./parts.tsx";
import { hashOf } from "./route.ts";
import { clientOf, type Session } from "./session.ts";

const LOOK_MS = 3_000;

const Line = ({ deployment }: { deployment: Deployment }) => (
  <tr>
    <td>
      <a href={hashOf({ screen: "deployment", id: deployment.id })}>
        {deployment.names?.resource ?? deployment.id}
      </a>
    </td>
    <td class="wide">{deployment.names?.stack}</td>
    <td>
      <Pill tone={deploymentTone(deployment.status)} status={deployment.status} />
    </td>
    <td class="wide">{deployment.action}</td>
    <td class="wide">{deployment.status_reason}</td>
    <td class="wide">
      <When iso={deployment.updated_time ?? deployment.creation_time} />
    </td>
  </tr>
);

export const DeploymentsScreen = ({ session }: { session: Session }) => {
  const client = useMemo(() => clientOf(session), [session]);
  const { value, error, reload } = useLive("deployments", () => readDeployments(client));
  // A server that fetches or runs something changes no stack.
  useRepeated(reload, LOOK_MS, value?.some(({ status }) => status === "IN_PROGRESS") ?? false);
  return (
    <>
      <div class="heading">
        <h1>Deployments</h1>
      </div>
      <Failure text={error} />
      {value === null && error === null && <Waiting />}
      {value?.length === 0 && <p class="empty">Nothing is deployed to a server.</p>}
      {byServer(value ?? []).map(([server, deployments]) => (
        <section key={server} aria-label={`Server ${server}`}>
          <h2 class="server">
            Server {deployments[0]?.names?.server} <span class="id">{server}</span>
          </h2>
          <table class="rows">
            <thead>
              <tr>
                <th scope="col">Deployment</th>
                <th scope="col" class="wide">
                  Stack
                </th>
                <th scope="col">Status</th>
                <th scope="col" class="wide">
                  Action
                </th>
                <th scope="col" class="wide">
                  Reason
                </th>
                <th scope="col" class="wide">
                  Changed
                </th>
              </tr>
            </thead>
            <tbody>
              {deployments.map((deployment) => (
                <Line key={deployment.id} deployment={deployment} />
              ))}
            </tbody>
          </table>
        </section>
      ))}
    </>
  );
};
