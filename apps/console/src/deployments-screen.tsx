import { useMemo, useState } from "preact/hooks";
import type { Deployment } from "#client/deployments.ts";
import {
  deploymentTone,
  type ListRow,
  listRows,
  matchingDeployments,
  readDeployments,
} from "./deployments.ts";
import { useLive, useRepeated } from "./hooks.ts";
import { Failure, Pill, Waiting, When } from "./parts.tsx";
import { hashOf } from "./route.ts";
import { clientOf, type Session } from "./session.ts";
import { VirtualRows } from "./virtual-rows.tsx";

const LOOK_MS = 3_000;

const Line = ({ deployment }: { deployment: Deployment }) => (
  <tr>
    <td>
      <a href={hashOf({ screen: "deployment", id: deployment.id })}>
        {deployment.names?.resource ?? deployment.id}
      </a>
    </td>
    <td class="wide">{deployment.names?.stack}</td>
    <td title={deployment.status_reason ?? ""}>
      <Pill tone={deploymentTone(deployment.status)} status={deployment.status} />
    </td>
    <td class="wide">{deployment.action}</td>
    <td class="wide" title={deployment.status_reason ?? ""}>
      {deployment.status_reason}
    </td>
    <td class="wide">
      <When iso={deployment.updated_time ?? deployment.creation_time} />
    </td>
  </tr>
);

const row = (shown: ListRow) =>
  "deployment" in shown ? (
    <Line key={shown.deployment.id} deployment={shown.deployment} />
  ) : (
    <tr key={shown.server} class="server">
      <th scope="rowgroup" title={shown.server}>
        Server {shown.name || shown.server}
      </th>
      <td class="wide id" colSpan={4}>
        {shown.server}
      </td>
      <td />
    </tr>
  );

const Rows = ({ deployments }: { deployments: readonly Deployment[] }) => {
  const rows = useMemo(() => listRows(deployments), [deployments]);
  return (
    <table class="rows" aria-rowcount={rows.length + 1}>
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
      <VirtualRows rows={rows} render={row} />
    </table>
  );
};

const Search = ({ change }: { change: (text: string) => void }) => (
  <search class="filters">
    <label>
      <span>Search</span>
      <input
        type="search"
        placeholder="Server, stack, name or reason"
        onInput={(event) => change(event.currentTarget.value)}
      />
    </label>
  </search>
);

export const DeploymentsScreen = ({ session }: { session: Session }) => {
  const client = useMemo(() => clientOf(session), [session]);
  const [text, setText] = useState("");
  const { value, error, reload } = useLive("deployments", () => readDeployments(client));
  const shown = useMemo(() => matchingDeployments(value ?? [], text), [value, text]);
  // A server that fetches or runs something changes no stack, so no hint is sent.
  useRepeated(reload, LOOK_MS, value?.some(({ status }) => status === "IN_PROGRESS") ?? false);
  return (
    <>
      <div class="heading">
        <h1>Deployments</h1>
        {value !== null && (
          <span class="count" role="status">
            {shown.length === value.length ? value.length : `${shown.length} of ${value.length}`}
          </span>
        )}
      </div>
      <Failure text={error} />
      {value === null && error === null && <Waiting />}
      {value?.length === 0 && <p class="empty">Nothing is deployed to a server.</p>}
      {value !== null && value.length > 0 && (
        <>
          <Search change={setText} />
          {shown.length === 0 && <p class="empty">No deployment matches.</p>}
          <Rows deployments={shown} />
        </>
      )}
    </>
  );
};
