import { useEffect, useState } from "preact/hooks";
import { DeploymentScreen } from "./deployment-screen.tsx";
import { DeploymentsScreen } from "./deployments-screen.tsx";
import { CreateScreen, RepairScreen, UpdateScreen } from "./draft-screens.tsx";
import { useRoute, useStream } from "./hooks.ts";
import { hashOf, type Route } from "./route.ts";
import { type Session, storedSession, storeSession } from "./session.ts";
import { SignIn } from "./sign-in.tsx";
import { onSignedOut } from "./signed-out.ts";
import { StackScreen } from "./stack-screen.tsx";
import { StacksScreen } from "./stacks-screen.tsx";
import { StepsScreen } from "./steps-screen.tsx";
import { transport } from "./transport.ts";

const FRESHNESS: Readonly<Record<string, string>> = {
  live: "Live",
  polling: "Asks every few seconds",
  paused: "Paused",
};

const Screen = ({ route, session }: { route: Route; session: Session }) => {
  if (route.screen === "stacks") return <StacksScreen session={session} />;
  if (route.screen === "create") return <CreateScreen session={session} />;
  if (route.screen === "deployments") return <DeploymentsScreen session={session} />;
  if (route.screen === "deployment") {
    return <DeploymentScreen key={route.id} session={session} id={route.id} />;
  }
  if (route.screen === "update" || route.screen === "repair") {
    const stack = { stack_name: route.name, id: route.id };
    const Change = route.screen === "update" ? UpdateScreen : RepairScreen;
    return <Change key={route.id} session={session} stack={stack} />;
  }
  if (route.screen === "steps" || route.screen === "step") {
    return <StepsScreen session={session} route={route} />;
  }
  return <StackScreen key={route.id} session={session} route={route} />;
};

const Signed = ({
  state,
  project,
  leave,
}: {
  state: string;
  project: string;
  leave: () => void;
}) => (
  <>
    <span class={`fresh ${state}`} role="status">
      {FRESHNESS[state]}
    </span>
    <span class="project" title="Project">
      {project}
    </span>
    <button type="button" class="plain" onClick={leave}>
      Sign out
    </button>
  </>
);

const SignedIn = ({ session, leave }: { session: Session; leave: () => void }) => {
  const route = useRoute();
  const { state, steps } = useStream(session);
  return (
    <>
      <button type="button" class="skip" onClick={skipToMain}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href={hashOf({ screen: "stacks" })}>
          Hearth
        </a>
        <nav aria-label="Console">
          <a
            href={hashOf({ screen: "stacks" })}
            aria-current={route.screen === "stacks" ? "page" : undefined}
          >
            Stacks
          </a>
          <a
            href={hashOf({ screen: "deployments" })}
            aria-current={route.screen === "deployments" ? "page" : undefined}
          >
            Deployments
          </a>
          <a
            href={hashOf({ screen: "create" })}
            aria-current={route.screen === "create" ? "page" : undefined}
          >
            Create
          </a>
          {steps && (
            <a
              href={hashOf({ screen: "steps", story: null })}
              aria-current={route.screen.startsWith("step") ? "page" : undefined}
            >
              Steps
            </a>
          )}
        </nav>
        <span class="spacer" />
        {transport().isPage ? (
          <span class="project">Playground: all of it runs in this page</span>
        ) : (
          <Signed state={state} project={session.project} leave={leave} />
        )}
      </header>
      <main id="main" tabIndex={-1}>
        <Screen route={route} session={session} />
      </main>
    </>
  );
};

/** The part after `#` names the screen, so this cannot be a link. */
const skipToMain = (): void => {
  document.getElementById("main")?.focus();
};

export const App = () => {
  const [session, setSession] = useState<Session | null>(storedSession);
  const change = (next: Session | null): void => {
    storeSession(next);
    setSession(next);
  };
  useEffect(() => onSignedOut(() => change(null)), []);
  return session === null ? (
    <SignIn enter={change} />
  ) : (
    <SignedIn session={session} leave={() => change(null)} />
  );
};
