/** One stack in step mode: its graph, what waits, its rows, and the button for the next visit. */
import { useMemo, useState } from "preact/hooks";
import { type Entry, STATUS_LEGEND } from "./graph-legend.tsx";
import { GraphView } from "./graph-view.tsx";
import { useLive } from "./hooks.ts";
import { Failure, Status, Waiting } from "./parts.tsx";
import { hashOf, type Route } from "./route.ts";
import { clientOf, type Session, textOf } from "./session.ts";
import { drain, play, readScene, step } from "./step-data.ts";
import { MESSAGE_SIGN, sceneGraph } from "./step-graph.ts";
import { RowTable, WaitingList } from "./step-parts.tsx";
import type { Scene } from "./step-shape.ts";
import { stepLines } from "./step-words.ts";
import { type Act, type Story, storyOf } from "./stories.ts";

const LOG_MAX = 40;
const LEGEND: readonly Entry[] = [
  ...STATUS_LEGEND,
  { tone: "mark", sign: MESSAGE_SIGN, text: "with a message" },
];

type StepRoute = Extract<Route, { screen: "step" }>;

const useSteps = (session: Session, route: StepRoute) => {
  const client = useMemo(() => clientOf(session), [session]);
  const stack = { stack_name: route.name, id: route.id };
  const scene = useLive(`step/${route.id}`, () => readScene(client, stack));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [log, setLog] = useState<readonly (readonly string[])[]>([]);
  const run = async (work: () => Promise<readonly string[]>): Promise<void> => {
    setBusy(true);
    setError(null);
    try {
      const lines = await work();
      setLog((old) => [lines, ...old].slice(0, LOG_MAX));
    } catch (failure) {
      setError(textOf(failure));
    }
    scene.reload();
    setBusy(false);
  };
  return {
    scene: scene.value,
    error: error ?? scene.error,
    busy,
    log,
    step: (now: Scene) =>
      run(async () => stepLines(now, await step(1), await readScene(client, stack))),
    drain: () => run(async () => [`${(await drain()).delivered} visits are handled.`]),
    play: (act: Act) =>
      run(async () => {
        await play(client, stack, act);
        await step(0);
        return [`${act.title}: the request is accepted and prepared.`];
      }),
  };
};

const StoryText = ({ story }: { story: Story }) => (
  <div class="story-text">
    <p>{story.text}</p>
    <p class="help">{story.look}</p>
  </div>
);

const Controls = ({
  steps: { scene, busy, ...steps },
  story,
}: {
  steps: ReturnType<typeof useSteps>;
  story: Story | null;
}) => {
  const [next] = scene?.waiting ?? [];
  const isIdle = scene === null || next === undefined;
  return (
    <div class="row-of-buttons step-buttons">
      <button
        type="button"
        disabled={busy || isIdle}
        onClick={() => scene !== null && void steps.step(scene)}
      >
        Step
      </button>
      {story?.acts.slice(1).map((act) => (
        <button
          key={act.title}
          type="button"
          class="plain"
          disabled={busy}
          onClick={() => void steps.play(act)}
        >
          {act.title}
        </button>
      ))}
      <button
        type="button"
        class="plain"
        disabled={busy || isIdle}
        onClick={() => void steps.drain()}
      >
        To the end
      </button>
      <a class="button plain" href={hashOf({ screen: "steps", story: story?.id ?? null })}>
        All stories
      </a>
    </div>
  );
};

const Log = ({ steps }: { steps: readonly (readonly string[])[] }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must be able to scroll it
  <div class="step-log" role="log" aria-label="What the steps did" tabIndex={0}>
    {steps.length === 0 && <p>No step yet.</p>}
    {steps.map(([first, ...more], at) => (
      <div key={steps.length - at}>
        <p>{first}</p>
        <ul>
          {more.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
    ))}
  </div>
);

export const StepScreen = ({ session, route }: { session: Session; route: StepRoute }) => {
  const steps = useSteps(session, route);
  const { scene, error, log } = steps;
  const story = storyOf(route.story);
  const [chosen, setChosen] = useState<string | null>(null);
  const graph = useMemo(() => (scene === null ? null : sceneGraph(scene)), [scene]);
  return (
    <>
      <div class="heading">
        <h1>{story?.title ?? route.name}</h1>
        {scene !== null && <Status status={scene.stack.stack_status} />}
        <a
          href={hashOf({
            screen: "stack",
            name: route.name,
            id: route.id,
            tab: "graph",
            resource: null,
          })}
        >
          {route.name}
        </a>
      </div>
      {story !== null && <StoryText story={story} />}
      <Controls steps={steps} story={story} />
      <Failure text={error} />
      {scene === null && error === null && <Waiting />}
      {scene !== null && graph !== null && (
        <div class="steps">
          <GraphView
            graph={graph}
            chosen={chosen}
            reactions={{ choose: setChosen }}
            legend={LEGEND}
          />
          <div class="step-side">
            <WaitingList waiting={scene.waiting} stackId={scene.stack.id} />
            <h2>What happened</h2>
            <Log steps={log} />
          </div>
          <RowTable scene={scene} chosen={chosen} />
        </div>
      )}
    </>
  );
};
