import { Tabs } from '@mantine/core';
import type { ReactElement } from 'react';
import type { Operation, OperationDetail } from '../../../src/core/operations/index.ts';
import { operationTitle } from '../../../src/core/operations/title.ts';
import { usePlace, useSetQuery } from '../frame/place.ts';
import { can } from '../show/operation-name.tsx';
import { YamlObject } from '../show/yaml-view.tsx';
import { ItemsByKind } from './items-by-kind.tsx';
import { LogView } from './log-view.tsx';
import { Problems } from './problems.tsx';
import { Timeline } from './timeline.tsx';
import styles from './operation.module.css';

interface DetailsProps {
  operation: Operation;
  detail: OperationDetail;
}

interface Tab {
  value: string;
  title: string;
  content: ReactElement;
}

/** Everything else about it, one thing at a time: what its kind does not have is not offered. */
export function Details({ operation, detail }: DetailsProps): ReactElement {
  const tabs = tabsOf(operation, detail);
  const { tab: asked } = usePlace().query;
  const setQuery = useSetQuery();
  // An address may come from another kind.
  const open = tabs.find(({ value }) => value === asked)?.value ?? firstTab(operation, detail, tabs);
  return (
    <Tabs
      className={styles.panel}
      value={open}
      keepMounted={false}
      onChange={(next) => {
        setQuery({ tab: next ?? undefined, q: undefined });
      }}
    >
      <Tabs.List className={styles.tabs}>
        {tabs.map(({ value, title }) => (
          <Tabs.Tab key={value} value={value}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ value, content }) => (
        <Tabs.Panel key={value} value={value}>
          {content}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** What failed opens on why. */
function firstTab({ report }: Operation, { problems }: OperationDetail, tabs: readonly Tab[]): string {
  const isBad = report.state === 'failed' || report.state === 'partiallyFailed';
  return isBad && problems.length > 0 ? 'problems' : (tabs[0]?.value ?? '');
}

function tabsOf(operation: Operation, detail: OperationDetail): Tab[] {
  const groups = detail.problems.length;
  const all: (Tab & { isOffered?: boolean })[] = [
    {
      value: 'items',
      title: 'Items by kind',
      isOffered: can(operation, 'items'),
      content: <ItemsByKind kinds={detail.itemsByKind} operation={operation} />,
    },
    {
      value: 'problems',
      title: groups === 0 ? 'Problems' : `Problems (${String(groups)})`,
      content: <Problems problems={detail.problems} />,
    },
    {
      value: 'log',
      title: 'Log',
      isOffered: can(operation, 'logs'),
      content: <LogView operation={operation} />,
    },
    { value: 'timeline', title: 'Timeline', content: <Timeline operation={operation} detail={detail} /> },
    {
      value: 'yaml',
      title: 'YAML',
      content: <YamlObject object={detail.object} label={`YAML of ${operationTitle(operation)}`} />,
    },
  ];
  return all.filter(({ isOffered = true }) => isOffered);
}
