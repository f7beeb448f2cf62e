import { Button } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { RESTORE } from '../../../src/api/resource-types.ts';
import { formatCount, toAppError, type AppError, type JsonObject } from '../../../src/base/index.ts';
import type {
  ChangedAnswer,
  PlannedAction,
  PlannedItem,
  RestorePlanAnswer,
} from '../../../src/core/operations/index.ts';
import { RETRY_ANNOTATION, VERIFY_ANNOTATION } from '../../../src/core/operations/annotations.ts';
import { parseOperationId } from '../../../src/core/operations/operation-id.ts';
import { groupProblems } from '../../../src/core/operations/problems.ts';
import { namespaceProblem, nameProblem } from '../forms/field-errors.tsx';
import { labelsProblem } from '../forms/labels.ts';
import { goTo } from '../frame/place.ts';
import { useSession } from '../frame/session.ts';
import { Problems } from '../operation/problems.tsx';
import { resource } from '../server/resource.ts';
import { useServices } from '../server/services.ts';
import { useAnswer } from '../server/use-answer.ts';
import { ErrorNotice, Notice, sentence, Waiting } from '../show/notice.tsx';
import { Sign, type SignKind } from '../show/sign.tsx';
import { PlannedVolumes } from './planned-volumes.tsx';
import { specOf, type RestoreDraft } from './restore-draft.ts';
import type { StepProps } from './step-props.ts';
import styles from './wizard.module.css';

const ACTIONS: readonly { action: PlannedAction; title: string; sign: SignKind }[] = [
  { action: 'create', title: 'will be created', sign: 'ok' },
  { action: 'update', title: 'will be updated', sign: 'busy' },
  { action: 'exists', title: 'already exist and will not be changed', sign: 'idle' },
  { action: 'fail', title: 'cannot be restored', sign: 'bad' },
];

interface CheckProps extends Pick<StepProps, 'backupId' | 'draft'> {
  base: JsonObject;
  /** The name of a restore, of which only what failed is restored. */
  retryOf?: string | undefined;
}

/** The dry run with the user's own rights; only then the button that does it. */
export function CheckStep({ draft, base, backupId, retryOf }: CheckProps): ReactElement {
  const { client } = useServices();
  const { session } = useSession();
  const [failure, setFailure] = useState<AppError>();
  const [isSending, setSending] = useState(false);
  const namespace = session.clusters.find(({ name }) => name === draft.cluster)?.namespace ?? 'velero';
  const spec = specOf(parseOperationId(backupId).name, draft, base);
  const annotations = {
    ...(retryOf !== undefined && { [RETRY_ANNOTATION]: retryOf }),
    ...(draft.isVerified && { [VERIFY_ANNOTATION]: 'true' }),
  };
  const metadata = { namespace, name: draft.name, ...(Object.keys(annotations).length > 0 && { annotations }) };
  const body = resource(RESTORE, metadata, spec);
  const query = `?cluster=${encodeURIComponent(draft.cluster)}`;
  const problem = draftProblem(draft);
  const key = problem === undefined ? JSON.stringify(['plan', draft.cluster, body]) : undefined;
  const { answer, error, again } = useAnswer(key, (ask) =>
    ask.change<RestorePlanAnswer>('POST', `api/plan${query}`, body),
  );
  const restore = (): void => {
    setSending(true);
    setFailure(undefined);
    client
      .change<ChangedAnswer>('POST', `api/restores${query}`, body)
      .then(
        ({ id }) => {
          goTo(id === undefined ? ['restores'] : ['operations', id]);
        },
        (thrown: unknown) => {
          setFailure(toAppError(thrown));
        },
      )
      .finally(() => {
        setSending(false);
      });
  };
  if (problem !== undefined) {
    return (
      <Notice sign="bad" title={problem.text}>
        Go back to “{problem.step}” and correct it.
      </Notice>
    );
  }
  if (error) return <ErrorNotice error={error} again={again} />;
  if (answer === undefined) return <Waiting>Running a dry run…</Waiting>;
  const isRefused = answer.validationErrors.length > 0;
  return (
    <>
      <Plan plan={answer} />
      {failure && <ErrorNotice error={failure} />}
      <div className={styles.do}>
        <Button size="md" onClick={restore} disabled={isRefused || isSending}>
          {isSending ? 'Please wait…' : 'Restore'}
        </Button>
        <Button variant="subtle" onClick={again}>
          Check again
        </Button>
      </div>
    </>
  );
}

/** What the cluster would refuse anyway, with the step where it is entered. */
function draftProblem(draft: RestoreDraft): { text: string; step: string } | undefined {
  const labels = labelsProblem(draft.labels);
  if (labels !== undefined) return { text: labels, step: 'What' };
  const name = nameProblem(draft.name);
  if (name !== undefined) return { text: `“${draft.name}” cannot be the name of a restore. ${name}`, step: 'Where' };
  const [into] = Object.values(draft.mapping).flatMap((to) => namespaceProblem(to) ?? []);
  return into === undefined ? undefined : { text: into, step: 'Where' };
}

function Plan({ plan }: { plan: RestorePlanAnswer }): ReactElement {
  return (
    <div className={styles.plan}>
      {plan.validationErrors.map((text) => (
        <p key={text} className={styles.bad}>
          <Sign kind="bad" /> {sentence(text)}
        </p>
      ))}
      {plan.unmatched.map(({ field, name, message }) => (
        <p key={`${field} ${name}`}>
          <Sign kind="warn" /> {sentence(message)}
        </p>
      ))}
      <p className={styles.dim}>Nothing has been created yet. This is what would happen:</p>
      {ACTIONS.map(({ action, title, sign }) => (
        <PlanList
          key={action}
          title={`${formatCount(plan.counts[action])} ${title}`}
          sign={plan.counts[action] === 0 ? 'idle' : sign}
          items={plan.items.filter((item) => item.action === action)}
          isCut={plan.isCut}
        />
      ))}
      <PlannedVolumes volumes={plan.volumes ?? []} done="restored" />
      {plan.leftOut.map(({ reason, count, examples }) => (
        <details key={reason}>
          <summary>
            <Sign kind="off" /> {formatCount(count)} left out: {reason}
          </summary>
          <ul className={styles.items}>
            {examples.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </details>
      ))}
      {plan.warnings.length > 0 && (
        <Problems problems={groupProblems(plan.warnings.map((text) => ({ level: 'warning', text })))} />
      )}
    </div>
  );
}

interface PlanListProps {
  title: string;
  sign: SignKind;
  items: readonly PlannedItem[];
  isCut: boolean;
}

const MAX_SHOWN = 500;

function PlanList({ title, sign, items, isCut }: PlanListProps): ReactElement {
  const line = (
    <>
      <Sign kind={sign} /> {title}
    </>
  );
  if (items.length === 0) return <p>{line}</p>;
  return (
    <details>
      <summary>{line}</summary>
      <ul className={styles.items}>
        {items.slice(0, MAX_SHOWN).map(({ resource: type, namespace, name, reason }) => (
          <li key={`${type}/${namespace ?? ''}/${name}`}>
            {type} {namespace === undefined ? '' : `${namespace}/`}
            {name}
            {reason && <span className={styles.dim}>: {reason}</span>}
          </li>
        ))}
        {(items.length > MAX_SHOWN || isCut) && <li>and more</li>}
      </ul>
    </details>
  );
}
