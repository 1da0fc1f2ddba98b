import { useId } from "preact/hooks";
import type { Scene } from "./step-shape.ts";
import type { Fault } from "./stories.ts";

const ACTIONS = ["CREATE", "UPDATE", "DELETE"] as const;

const EFFECTS = [
  { id: "error", text: "fails", effect: { error: "The provider refuses." } },
  { id: "polls", text: "takes three polls", effect: { polls: 3 } },
  { id: "dies", text: "works, and its worker dies", effect: { dies: true } },
] as const satisfies readonly { id: string; text: string; effect: Partial<Fault> }[];

export interface NamedFault {
  readonly fault: Fault;
  readonly text: string;
}

const faultOf = (form: FormData): NamedFault | null => {
  const name = form.get("resource");
  const action = ACTIONS.find((one) => one === form.get("action"));
  const effect = EFFECTS.find(({ id }) => id === form.get("effect"));
  if (typeof name !== "string" || action === undefined || effect === undefined) return null;
  const text = `The next ${action} of ${name} ${effect.text}.`;
  return { fault: { logical_name: name, action, ...effect.effect }, text };
};

interface Choice {
  readonly value: string;
  readonly text: string;
}

const Select = ({
  label,
  name,
  choices,
}: {
  label: string;
  name: string;
  choices: readonly Choice[];
}) => {
  const id = useId();
  return (
    <>
      <label class="unseen" for={id}>
        {label}
      </label>
      <select id={id} name={name}>
        {choices.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </>
  );
};

export const FaultForm = ({ scene, add }: { scene: Scene; add: (fault: NamedFault) => void }) => {
  const titleId = useId();
  const names = [...new Set(scene.resources.map(({ resource_name: name }) => name))];
  if (names.length === 0) return null;
  return (
    <form
      class="fault-form"
      aria-labelledby={titleId}
      onSubmit={(event) => {
        event.preventDefault();
        const fault = faultOf(new FormData(event.currentTarget));
        if (fault !== null) add(fault);
      }}
    >
      <h2 id={titleId}>Let the provider go wrong</h2>
      <span>The next</span>
      <Select
        label="Action"
        name="action"
        choices={ACTIONS.map((value) => ({ value, text: value }))}
      />
      <span>of</span>
      <Select
        label="Resource"
        name="resource"
        choices={names.map((value) => ({ value, text: value }))}
      />
      <Select
        label="Effect"
        name="effect"
        choices={EFFECTS.map(({ id, text }) => ({ value: id, text }))}
      />
      <button type="submit" class="plain">
        Add the fault
      </button>
    </form>
  );
};
