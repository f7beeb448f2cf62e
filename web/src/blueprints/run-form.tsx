import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { ACTION_SET } from '../../../src/api/resource-types.ts';
import type { JsonObject } from '../../../src/base/index.ts';
import type {
  ActionPlanAnswer,
  ChangedAnswer,
  Operation,
  OperationDetail,
} from '../../../src/core/operations/index.ts';
import { fieldErrors, FormError, nameProblem } from '../forms/field-errors.tsx';
import { clusterQuery, NameField } from '../forms/object-fields.tsx';
import { useSend, type Sending } from '../forms/use-send.ts';
import { goTo } from '../frame/place.ts';
import { useOperations } from '../live/use-live.ts';
import { resource, timedName } from '../server/resource.ts';
import { useServices } from '../server/services.ts';
import { useAnswer } from '../server/use-answer.ts';
import type { BlueprintAction } from './blueprint-actions.ts';
import type { BlueprintKey } from './blueprint-id.ts';
import { ObjectFields } from './object-fields.tsx';
import { draftProblem, emptyDraft, runSpec, type RunDraft } from './run-draft.ts';
import { RunPreview } from './run-preview.tsx';
import form from '../forms/form.module.css';

interface RunFormProps {
  blueprint: BlueprintKey;
  actions: readonly BlueprintAction[];
  /** The action that is chosen at first. */
  first: string;
}

const FIELDS = ['metadata.name'];

/** Asks what the action needs, shows what it would do, and creates the action set. */
export function RunForm({ blueprint, actions, first }: RunFormProps): ReactElement | null {
  const [openedAt] = useState(() => new Date());
  const chosen = actions.find(({ name }) => name === first) ?? actions[0];
  const [draft, setDraft] = useState<RunDraft | undefined>(() => chosen && startOf(chosen, blueprint, openedAt));
  const action = actions.find(({ name }) => name === draft?.action);
  if (draft === undefined || action === undefined) return null;
  const choose = (name: string): void => {
    const next = actions.find((each) => each.name === name);
    if (next !== undefined) setDraft({ ...startOf(next, blueprint, openedAt), object: draft.object });
  };
  return (
    <Form
      blueprint={blueprint}
      action={action}
      draft={draft}
      change={(next) => {
        setDraft({ ...draft, ...next });
      }}
    >
      <NativeSelect
        label="Action"
        value={draft.action}
        data={actions.map(({ name }) => name)}
        onChange={(event) => {
          choose(event.currentTarget.value);
        }}
      />
    </Form>
  );
}

interface FormProps extends InputsProps {
  blueprint: BlueprintKey;
  /** The choice of the action. */
  children: ReactElement;
}

function Form({ blueprint, action, draft, change, children }: FormProps): ReactElement {
  const earlier = useEarlier(draft.from);
  const body = resource(
    ACTION_SET,
    { namespace: blueprint.namespace, name: draft.name },
    runSpec(draft, blueprint, earlier?.object),
  );
  const { error, isSending, check, run, plan } = useRun(blueprint.cluster, body);
  const problem = nameProblem(draft.name) ?? draftProblem(draft, action) ?? loadingProblem(draft, earlier);
  const isWrong = problem !== undefined || draft.name === '' || isSending;
  return (
    <div className={form.form}>
      <div className={form.pair}>
        {children}
        <NameField
          name={draft.name}
          error={fieldErrors(error).get('metadata.name')}
          onChange={(name) => {
            change({ name });
          }}
        />
      </div>
      <Earlier
        blueprint={blueprint}
        action={action}
        from={draft.from}
        onChange={(from) => {
          change({ from });
        }}
      />
      <ObjectFields
        object={draft.object}
        isOptional={draft.from !== ''}
        onChange={(object) => {
          change({ object: { ...draft.object, ...object } });
        }}
      />
      <Inputs draft={draft} action={action} change={change} />
      <FormError error={error} fields={FIELDS} />
      {problem !== undefined && <p className={form.dim}>{problem}</p>}
      {plan && <RunPreview plan={plan} />}
      <div className={form.buttons}>
        <Button variant="default" disabled={isWrong} onClick={check}>
          {isSending ? 'Please wait…' : 'Preview'}
        </Button>
        <Button disabled={isWrong || (plan?.problems.length ?? 0) > 0} onClick={run}>
          Run
        </Button>
      </div>
    </div>
  );
}

interface Running extends Pick<Sending, 'error' | 'isSending'> {
  check: () => void;
  run: () => void;
  /** Of exactly what would be sent now. */
  plan: ActionPlanAnswer | undefined;
}

function useRun(cluster: string, body: JsonObject): Running {
  const { client } = useServices();
  const [plan, setPlan] = useState<{ of: string; answer: ActionPlanAnswer }>();
  const { error, isSending, send } = useSend();
  const key = JSON.stringify(body);
  const query = clusterQuery(cluster);
  return {
    error,
    isSending,
    plan: plan?.of === key ? plan.answer : undefined,
    check: () => {
      send(async () => {
        setPlan({ of: key, answer: await client.change<ActionPlanAnswer>('POST', `api/plan${query}`, body) });
      });
    },
    run: () => {
      send(async () => {
        const { id } = await client.change<ChangedAnswer>('POST', `api/actionsets${query}`, body);
        goTo(id === undefined ? ['actions'] : ['operations', id]);
      });
    },
  };
}

function startOf(action: BlueprintAction, { name, namespace }: BlueprintKey, at: Date): RunDraft {
  return emptyDraft(timedName(`${action.name.toLowerCase()}-${name}`, at), action, namespace);
}

function loadingProblem({ from }: RunDraft, earlier: OperationDetail | undefined): string | undefined {
  return from !== '' && earlier === undefined ? 'Loading the artifacts…' : undefined;
}

function useEarlier(id: string): OperationDetail | undefined {
  const { answer } = useAnswer<OperationDetail>(id === '' ? undefined : `operation ${id}`, (client, signal) =>
    client.get(`api/operations/${encodeURIComponent(id)}`, {}, signal),
  );
  return answer;
}

interface EarlierProps {
  blueprint: BlueprintKey;
  action: BlueprintAction;
  from: string;
  onChange: (from: string) => void;
}

/** Only what is complete has artifacts. */
function Earlier({ blueprint, action, from, onChange }: EarlierProps): ReactElement | null {
  const operations = useOperations(blueprint.cluster, { noun: 'action' });
  const isOf = ({ ref, report, facts }: Operation): boolean =>
    ref.namespace === blueprint.namespace &&
    report.state === 'completed' &&
    facts.blueprints?.includes(blueprint.name) === true;
  const sets = operations.filter(isOf);
  if (action.inputs.length === 0 && sets.length === 0) return null;
  return (
    <NativeSelect
      label="Artifacts from"
      description={
        action.inputs.length === 0
          ? 'An earlier action set, if this action needs what it left behind.'
          : `An earlier action set that left behind: ${action.inputs.join(', ')}.`
      }
      value={from}
      data={[
        { value: '', label: sets.length === 0 ? 'No complete action set of this Blueprint' : 'None' },
        ...sets.map(({ id, ref, facts }) => ({ value: id, label: `${ref.name} (${facts.actions?.join(', ') ?? ''})` })),
      ]}
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
    />
  );
}

interface InputsProps {
  draft: RunDraft;
  action: BlueprintAction;
  change: (change: Partial<RunDraft>) => void;
}

const PLACE = 'name or namespace/name';

function Inputs({ draft, action, change }: InputsProps): ReactElement {
  const needed = (key: 'secrets' | 'configMaps', what: string): ReactElement[] =>
    action[key].map((name) => (
      <TextInput
        key={`${key} ${name}`}
        label={`${what} ${name}`}
        placeholder={PLACE}
        value={draft[key][name] ?? ''}
        onChange={(event) => {
          change({ [key]: { ...draft[key], [name]: event.currentTarget.value } });
        }}
      />
    ));
  const lines = (
    key: 'options' | 'moreSecrets' | 'moreConfigMaps',
    label: string,
    description: string,
  ): ReactElement => (
    <Textarea
      label={label}
      description={description}
      autosize
      minRows={2}
      maxRows={6}
      value={draft[key]}
      onChange={(event) => {
        change({ [key]: event.currentTarget.value });
      }}
    />
  );
  return (
    <>
      <TextInput
        label="Profile"
        description="Where data goes to or comes from, for functions that move data."
        placeholder={PLACE}
        value={draft.profile}
        onChange={(event) => {
          change({ profile: event.currentTarget.value });
        }}
      />
      {needed('secrets', 'Secret')}
      {needed('configMaps', 'Config map')}
      <details className={`${form.box} ${form.more}`}>
        <summary>Options, other secrets and config maps</summary>
        <div className={form.form}>
          {lines('options', 'Options', 'Values for .Options in templates, one key=value a line.')}
          {lines('moreSecrets', 'Other secrets', 'One key=name or key=namespace/name a line.')}
          {lines('moreConfigMaps', 'Other config maps', 'One key=name or key=namespace/name a line.')}
        </div>
      </details>
    </>
  );
}
