import { NativeSelect, TextInput } from '@mantine/core';
import { useState, type ReactElement } from 'react';
import { usePlace } from '../frame/place.ts';
import { useSession } from '../frame/session.ts';
import { nameProblem } from './field-errors.tsx';

export interface ClusterChoice {
  cluster: string;
  clusters: readonly string[];
  /** Where the objects of Headway are in this cluster. */
  namespace: string;
  /** For the address of a request. */
  query: string;
  setCluster: (cluster: string) => void;
}

/** The cluster that a new object goes to: the one that is looked at, else the first. */
export function useClusterField(): ClusterChoice {
  const { session } = useSession();
  const place = usePlace();
  const [cluster, setCluster] = useState(place.query['cluster'] ?? session.clusters[0]?.name ?? '');
  return {
    cluster,
    clusters: session.clusters.map(({ name }) => name),
    namespace: session.clusters.find(({ name }) => name === cluster)?.namespace ?? 'velero',
    query: clusterQuery(cluster),
    setCluster,
  };
}

export function clusterQuery(cluster: string): string {
  return `?cluster=${encodeURIComponent(cluster)}`;
}

export function ClusterField({ cluster, clusters, setCluster }: ClusterChoice): ReactElement | null {
  if (clusters.length < 2) return null;
  return (
    <NativeSelect
      label="Cluster"
      value={cluster}
      data={[...clusters]}
      onChange={(event) => {
        setCluster(event.currentTarget.value);
      }}
    />
  );
}

interface NameFieldProps {
  name: string;
  error: string | undefined;
  onChange: (name: string) => void;
}

export function NameField({ name, error, onChange }: NameFieldProps): ReactElement {
  return (
    <TextInput
      label="Name"
      value={name}
      error={nameProblem(name) ?? error}
      onChange={(event) => {
        onChange(event.currentTarget.value);
      }}
    />
  );
}
