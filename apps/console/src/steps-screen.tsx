import { useMemo, useState } from "preact/hooks";
import { useLive } from "./hooks.ts";
import { useModule } from "./loaded-module.ts";
import { Failure, Status, Waiting } from "./parts.tsx";
import { hashOf, type Route } from "./route.ts";
import { clientOf, type Session, textOf } from "./session.ts";
import { readStacks } from "./stack-list.ts";

type StepsRoute = Extract<Route, { screen: "steps" | "step" }>;

const loadStories = () => import("./stories.ts");
const loadData = () => import("./step-data.ts");
const loadScreen = () => import("./step-screen.tsx");

const OwnStacks = ({ session }: { session: Session }) => {
  const client = useMemo(() => clientOf(session), [session]);
  const { value } = useLive("steps/stacks", () => readStacks(client, null, "all"));
  if (value === null || value.length === 0) return null;
  return (
    <>
      <h2>Or watch a stack of this project</h2>
      <ul class="plain-list">
        {value.map(({ id, stack_name: name, stack_status: status }) => (
          <li key={id}>
            <a href={hashOf({ screen: "step", story: "watch", name, id })}>{name}</a>{" "}
            <Status status={status} />
          </li>
        ))}
      </ul>
    </>
  );
};

const Stories = ({ session, asked }: { session: Session; asked: string | null }) => {
  const stories = useModule(loadStories);
  const data = useModule(loadData);
  const client = useMemo(() => clientOf(session), [session]);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  if (stories.module === null || data.module === null) {
    return <Failure text={stories.error ?? data.error} />;
  }
  const { begin } = data.module;
  const { STORIES, storyOf } = stories.module;
  const play = async (id: string): Promise<void> => {
    const story = storyOf(id);
    if (story === null) return;
    setBusy(true);
    try {
      const { stack_name: name, id: stackId } = await begin(client, story);
      location.hash = hashOf({ screen: "step", story: id, name, id: stackId });
    } catch (failure) {
      setError(textOf(failure));
      setBusy(false);
    }
  };
  return (
    <>
      <Failure text={error} />
      <ul class="stories">
        {STORIES.map(({ id, title, text }) => (
          <li key={id} aria-current={id === asked ? "true" : undefined}>
            <h2>{title}</h2>
            <p>{text}</p>
            <button type="button" disabled={busy} onClick={() => void play(id)}>
              Play <span class="unseen">{title}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
};

export const StepsScreen = ({ session, route }: { session: Session; route: StepsRoute }) => {
  const screen = useModule(loadScreen);
  if (route.screen === "step") {
    if (screen.module === null) return screen.error ? <Failure text={screen.error} /> : <Waiting />;
    return <screen.module.StepScreen key={route.id} session={session} route={route} />;
  }
  return (
    <>
      <h1>Step by step</h1>
      <p class="quiet">
        Here nothing moves by itself. Each step delivers one message, so that one can watch what a
        visit does. To play a story moves everything else to its end first.
      </p>
      <Stories session={session} asked={route.story} />
      <OwnStacks session={session} />
    </>
  );
};
