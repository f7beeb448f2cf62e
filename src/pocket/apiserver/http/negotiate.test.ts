import { describe, expect, it } from 'vitest';
import { negotiate, negotiateDiscovery } from './negotiate.ts';

const KUBECTL =
  'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json';

describe('negotiate', () => {
  it.each([
    [undefined, 'objects'],
    ['*/*', 'objects'],
    ['application/vnd.kubernetes.protobuf,application/json', 'objects'],
    ['application/json, */*;q=0.8', 'objects'],
    [KUBECTL, 'table'],
    ['application/json;as=Unknown;v=v1;g=meta.k8s.io,application/json', 'objects'],
    [
      'application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
      'metadata',
    ],
  ])('%s', (accept, as) => {
    expect(negotiate(accept).as).toBe(as);
  });

  it('refuses what is not served', () => {
    expect(() => negotiate('application/cbor')).toThrow('only the following media types are accepted');
    expect(() => negotiate('application/vnd.kubernetes.protobuf')).toThrow();
  });
});

describe('negotiateDiscovery', () => {
  it.each([
    ['application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json', 'v2'],
    ['application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList', 'v2beta1'],
    ['application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList,application/json', undefined],
    ['application/json', undefined],
    [undefined, undefined],
  ])('%s', (accept, version) => {
    expect(negotiateDiscovery(accept)).toBe(version);
  });
});
