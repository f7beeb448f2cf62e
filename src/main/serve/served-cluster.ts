import type { KubeClient } from '../../edge/kube/index.ts';
import type { ClusterPort } from '../../server/index.ts';

/** One cluster to serve, with clients that the caller closes. */
export interface ServedCluster {
  name: string;
  kube: KubeClient;
  /** As the bearer of a token. */
  as(token: string): KubeClient;
  login: ClusterPort['login'];
}
