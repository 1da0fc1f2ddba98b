import { useMemo } from "preact/hooks";
import { mayUpdate } from "./actions.ts";
import { useLive } from "./hooks.ts";
import { useModule } from "./loaded-module.ts";
import { OwnerWarning } from "./owner.tsx";
import { Failure, Waiting } from "./parts.tsx";
import { hashOf } from "./route.ts";
import { clientOf, type Session } from "./session.ts";
import { readStack, readTemplate, type StackName, valueText } from "./stack-data.ts";
import { wordsOf } from "./status.ts";

const FIRST_TEMPLATE = `heat_template_version: 2018-08-31

description: The first stack.

parameters:
  length:
    type: number
    default: 16

resources:
  password:
    type: OS::Heat::RandomString
    properties:
      length: { get_param: length }

outputs:
  password:
    value: { get_attr: [password, value] }
`;

const loadScreen = () => import("./draft-screen.tsx");
const loadRepair = () => import("./repair-screen.tsx");
const loadText = () => import("./template-text.ts");
const NONE: ReadonlyMap<string, string> = new Map();

export const CreateScreen = ({ session }: { session: Session }) => {
  const { module, error } = useModule(loadScreen);
  return (
    <>
      <h1>Create a stack</h1>
      <Failure text={error} />
      {module === null && error === null && <Waiting />}
      {module !== null && (
        <module.DraftScreen session={session} stack={null} begin={FIRST_TEMPLATE} current={NONE} />
      )}
    </>
  );
};

/** Pseudo parameters are left out, because the server sets them. */
const currentOf = (parameters: Readonly<Record<string, unknown>> | undefined) =>
  new Map(
    Object.entries(parameters ?? {}).flatMap(([name, value]) =>
      name.startsWith("OS::") ? [] : [[name, valueText(value)] as const],
    ),
  );

export const UpdateScreen = ({ session, stack }: { session: Session; stack: StackName }) => {
  const client = useMemo(() => clientOf(session), [session]);
  const screen = useModule(loadScreen);
  const text = useModule(loadText);
  const read = async () => {
    const shown = await readStack(client, stack);
    return { shown, template: await readTemplate(client, stack) };
  };
  // A change by others must not change what the user types.
  const begin = useLive(`draft/${stack.id}`, read, () => false);
  const error = screen.error ?? text.error ?? begin.error;
  const status = begin.value?.shown.stack_status ?? "";
  const isReady = screen.module !== null && text.module !== null && begin.value !== null;
  const { stack_name: name, id } = stack;
  return (
    <>
      <h1>
        Update{" "}
        <a href={hashOf({ screen: "stack", name, id, tab: "resources", resource: null })}>{name}</a>
      </h1>
      <Failure text={error} />
      {!isReady && error === null && <Waiting />}
      {begin.value !== null && <OwnerWarning session={session} stack={begin.value.shown} />}
      {!mayUpdate(status) && (
        <p class="empty">A stack cannot be updated while its status is {wordsOf(status)}.</p>
      )}
      {isReady && mayUpdate(status) && (
        <screen.module.DraftScreen
          session={session}
          stack={begin.value.shown}
          begin={text.module.templateText(begin.value.template)}
          current={currentOf(begin.value.shown.parameters)}
        />
      )}
    </>
  );
};

export const RepairScreen = ({ session, stack }: { session: Session; stack: StackName }) => {
  const { module, error } = useModule(loadRepair);
  const { stack_name: name, id } = stack;
  return (
    <>
      <h1>
        Repair{" "}
        <a href={hashOf({ screen: "stack", name, id, tab: "resources", resource: null })}>{name}</a>
      </h1>
      <Failure text={error} />
      {module === null && error === null && <Waiting />}
      {module !== null && <module.RepairPart session={session} stack={stack} />}
    </>
  );
};
