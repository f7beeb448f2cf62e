import { describe, expect, it } from 'vitest';
import { builtinImages, machineImage } from './builtin-images.ts';
import { imageName } from './image-name.ts';
import { findImage } from './image-table.ts';
import { parseTable } from './table-text.ts';

const program = { root: '/src', parts: ['bin', 'src'], node: '/opt/node', isReadableByAll: true };

describe('imageName', () => {
  it.each([
    ['busybox', 'busybox'],
    ['busybox:1.36', 'busybox'],
    ['docker.io/library/busybox@sha256:' + 'a'.repeat(64), 'docker.io/library/busybox'],
    ['localhost:5000/team/app:v1', 'localhost:5000/team/app'],
    ['ghcr.io/kanisterio/kanister-tools:0.112.0', 'ghcr.io/kanisterio/kanister-tools'],
  ])('%s', (image, name) => {
    expect(imageName(image)).toEqual({ name });
  });

  it.each([
    ['UPPER', 'repository name (library/UPPER) must be lowercase'],
    ['r.io/Team/app', 'repository name (Team/app) must be lowercase'],
    ['a b', 'invalid reference format'],
    ['app:', 'invalid reference format'],
    ['app:a/b c', 'invalid reference format'],
    ['', 'invalid reference format'],
    ['a'.repeat(5000), 'invalid reference format'],
  ])('says what is wrong with %s', (image, problem) => {
    expect(imageName(image)).toMatchObject({ problem: expect.stringContaining(problem) as string });
  });
});

describe('findImage', () => {
  const rows = builtinImages(program);
  it.each([
    'busybox',
    'busybox:1',
    'mirror.example.com/library/busybox:1',
    'debian:12',
    'alpine',
    'headway:dev',
    'r.io/headway-mover',
    'ghcr.io/kanisterio/kanister-tools:1',
  ])('runs %s', (image) => {
    expect(findImage(rows, image).kind).toBe('image');
  });
  it.each(['nginx', 'busyboxy', 'kanister-tools', 'registry.example.com/web:1.0', 'my-headway'])(
    'does not run %s',
    (image) => {
      expect(findImage(rows, image)).toMatchObject({
        kind: 'unknown',
        reason: expect.stringContaining(image) as string,
      });
    },
  );

  it('has Headway where its own image has it, as somebody who is not root', () => {
    const found = findImage(rows, 'headway:dev');
    expect(found).toMatchObject({
      image: {
        identity: { uid: 65_532 },
        binds: [
          { source: '/opt/node', target: '/usr/local/bin/node' },
          { source: '/src/bin', target: '/opt/headway/bin' },
          { source: '/src/src', target: '/opt/headway/src' },
        ],
      },
    });
    const closed = findImage(builtinImages({ ...program, isReadableByAll: false }), 'headway:dev');
    expect(closed).toMatchObject({ image: { identity: { uid: 0 } } });
  });

  it('has the programs as bundles, unless they were shipped with it', () => {
    const bound = (change: object, image: string): unknown => {
      const found = findImage(builtinImages({ ...program, ...change }), image);
      const { binds } = found.kind === 'image' ? found.image : expect.fail(image);
      return binds.filter(({ target }) => target.includes('/dist'));
    };
    for (const image of ['headway:dev', 'r.io/kanister-tools', 'busybox']) {
      const target = '/opt/headway/dist/program';
      expect(bound({}, image)).toEqual([]);
      expect(bound({ bundle: '/made/1' }, image)).toEqual([{ source: '/made/1', target }]);
      const shipped = { bundle: '/src/dist/program', parts: ['bin', 'dist'] };
      expect(bound(shipped, image)).toEqual([{ source: '/src/dist', target: '/opt/headway/dist' }]);
    }
  });

  it('has the commands that Blueprints call wherever they look for them', () => {
    for (const image of ['headway:dev', 'ghcr.io/kanisterio/kanister-tools:1']) {
      const found = findImage(rows, image);
      const { env, links, binds } = found.kind === 'image' ? found.image : expect.fail(image);
      expect(env['PATH']).toMatch(/^\/opt\/headway\/commands:\/opt\/headway\/bin:/);
      expect(links.map(([path]) => path)).toContain('opt/headway/commands/kando');
      expect(links.map(([path]) => path)).toContain('usr/local/bin/kando');
      expect(binds).toContainEqual({ source: '/opt/node', target: '/usr/local/bin/node' });
    }
    for (const image of ['busybox', 'debian', 'alpine']) {
      const found = findImage(rows, image);
      const { env, binds } = found.kind === 'image' ? found.image : expect.fail(image);
      // Behind what the machine has itself.
      expect(env['PATH']).toMatch(/:\/bin:\/opt\/headway\/bin$/);
      expect(binds).toContainEqual({ source: '/src/bin', target: '/opt/headway/bin' });
    }
    for (const image of ['busybox', 'r.io/kanister-tools'])
      expect(findImage(builtinImages(undefined), image)).toMatchObject({ image: { binds: [] } });
  });
});

describe('parseTable', () => {
  it('reads rows, and says which lines are none', () => {
    const { rows, problems } = parseTable(
      '# mine\n\napp  machine\nteam/*  /srv/a folder\nrelative  folder\nalone\n',
      machineImage(undefined),
    );
    expect(rows.map(({ pattern, image }) => [pattern, image.base])).toEqual([
      ['app', { kind: 'machine' }],
      ['team/*', { kind: 'folder', path: '/srv/a folder' }],
    ]);
    expect(problems).toHaveLength(2);
  });

  it('matches stars anywhere, each as little as it must', () => {
    const { rows } = parseTable('a*b*c  machine', machineImage(undefined));
    expect(['abc', 'axbxc', 'abbcc', 'abcx', 'ac', 'ab'].map((name) => findImage(rows, name).kind)).toEqual([
      'image',
      'image',
      'image',
      'unknown',
      'unknown',
      'unknown',
    ]);
  });
});
