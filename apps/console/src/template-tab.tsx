import { useEffect, useMemo, useRef } from "preact/hooks";
import { useLive } from "./hooks.ts";
import { useModule } from "./loaded-module.ts";
import { Failure, Waiting } from "./parts.tsx";
import { clientOf } from "./session.ts";
import { readTemplate } from "./stack-data.ts";
import type { TabProps } from "./stack-tabs.tsx";
import type { Passage } from "./template-text.ts";

const loadText = () => import("./template-text.ts");

const Definition = ({ name, passage }: { name: string; passage: Passage }) => {
  const lines = useRef<HTMLElement>(null);
  useEffect(() => lines.current?.scrollIntoView({ block: "center" }), [name, passage.line]);
  const { before, lines: own, after, line } = passage;
  return (
    <>
      <p class="quiet">
        {name} begins in line {line}.
      </p>
      <pre class="template">
        {before}
        <mark ref={lines}>{own}</mark>
        {after.replace(/^\n/, "")}
      </pre>
    </>
  );
};

export const TemplateTab = ({ session, stack, chosen }: TabProps & { chosen: string | null }) => {
  const client = useMemo(() => clientOf(session), [session]);
  const template = useLive(
    `template/${stack.id}`,
    () => readTemplate(client, stack),
    (hint) => hint === "all" || hint.includes(stack.id),
  );
  const { module, error } = useModule(loadText);
  const text = useMemo(
    () => (module === null || template.value === null ? null : module.templateText(template.value)),
    [module, template.value],
  );
  const passage = useMemo(
    () => (text === null || chosen === null ? null : (module?.passageOf(text, chosen) ?? null)),
    [module, text, chosen],
  );
  return (
    <>
      <Failure text={template.error ?? error} />
      {text === null && template.error === null && error === null && <Waiting />}
      {chosen !== null && passage !== null && <Definition name={chosen} passage={passage} />}
      {text !== null && passage === null && (
        <>
          {chosen !== null && <p class="quiet">The template does not define {chosen}.</p>}
          <pre class="template">{text}</pre>
        </>
      )}
    </>
  );
};
