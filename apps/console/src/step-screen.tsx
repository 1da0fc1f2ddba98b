import { useMemo, useState } from "preact/hooks";
import { type Entry, STATUS_LEGEND } from "./graph-legend.tsx";
import { GraphView } from "./graph-view.tsx";
import { useLive } from "./hooks.ts";
import { Failure, Status, Waiting } from "./parts.tsx";
import { hashOf, type Route } from "./route.ts";
import { clientOf, type Session, textOf } from "./session.ts";
import { addFault, drain, play, readScene, step } from "./step-data.ts";
import { FaultForm, type NamedFault } from "./step-faults.tsx";
import { MESSAGE_SIGN, sceneGraph } from "./step-graph.ts";
import { RowTable, WaitingList } from "./step-parts.tsx";
import type { Fate, Scene } from "./step-shape.ts";
import { stepLines } from "./step-words.ts";
import { type Act, type Story, storyOf } from "./stories.ts";

const LOG_MAX = 40;
const LEGEND: readonly Entry[] = [
  ...STATUS_LEGEND,
  { tone: "mark", sign: MESSAGE_SIGN, text: "with a message" },
];

const isPrepared = ({ waiting }: Scene): boolean =>
  waiting.every(({ type }) => type !== "prepare_traversal");

type StepRoute = Extract<Route, { screen: "step" }>;

const useSteps = (session: Session, route: StepRoute) => {
  const client = useMemo(() => clientOf(session), [session]);
  const stack = { stack_name: route.name, id: route.id };
  const scene = useLive(`step/${route.id}`, () => readScene(client, stack));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [log, setLog] = useState<readonly (readonly string[])[]>([]);
  /** The visits of a traversal are only known after its prepare. */
  const prepare = async (): Promise<Scene> => {
    await step(0);
    return readScene(client, stack);
  };
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
    step: (now: Scene, fate: Fate) =>
      run(async () => {
        const before = isPrepared(now) ? now : await prepare();
        return stepLines(before, await step(1, fate), await readScene(client, stack), fate);
      }),
    addFault: ({ fault, text }: NamedFault) =>
      run(async () => {
        await addFault(route.name, fault);
        return [text];
      }),
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

const STEPS = [
  { fate: "handled", text: "Step", title: "Delivers the next message" },
  { fate: "dies", text: "Crash", title: "Delivers it, and the worker dies before it deletes it" },
  { fate: "twice", text: "Deliver twice", title: "Delivers it, and the queue keeps it" },
] as const satisfies readonly { fate: Fate; text: string; title: string }[];

const Controls = ({
  steps: { scene, busy, ...steps },
  story,
  update,
}: {
  steps: ReturnType<typeof useSteps>;
  story: Story | null;
  update: string;
}) => {
  const [next] = scene?.waiting ?? [];
  const isIdle = scene === null || next === undefined;
  return (
    <div class="row-of-buttons step-buttons">
      {STEPS.map(({ fate, text, title }) => (
        <button
          key={fate}
          type="button"
          class={fate === "handled" ? undefined : "plain"}
          title={title}
          disabled={busy || isIdle}
          onClick={() => scene !== null && void steps.step(scene, fate)}
        >
          {text}
        </button>
      ))}
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
      <a class="button plain" href={update}>
        Update
      </a>
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
      <Controls
        steps={steps}
        story={story}
        update={hashOf({ screen: "update", name: route.name, id: route.id })}
      />
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
            <FaultForm scene={scene} add={(fault) => void steps.addFault(fault)} />
          </div>
          <RowTable scene={scene} chosen={chosen} />
        </div>
      )}
    </>
  );
};
