import { start } from './start.js';

await start('kando', '../src/main/kando.ts');
