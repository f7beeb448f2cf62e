import tseslint from 'typescript-eslint';

const ENUM = { selector: 'TSEnumDeclaration', message: 'use an `as const` object and a union type' };
const DEFAULT_EXPORT = { selector: 'ExportDefaultDeclaration', message: 'use a named export' };
const NO_CLOCK = {
  selector: "NewExpression[callee.name='Date'][arguments.length=0], CallExpression[callee.name='Date']",
  message: 'take `now` as an argument',
};
const TIMERS = ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'];

export default tseslint.config(
  { ignores: ['node_modules', 'dist', 'coverage', '.cache', '**/*.gen.ts', '**/*.cjs'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: ['./tsconfig.*.json'], tsconfigRootDir: import.meta.dirname } },
    rules: {
      'max-lines': ['error', { max: 350, skipBlankLines: true, skipComments: true }],
      complexity: ['error', 15],
      'max-depth': ['error', 4],
      'max-params': ['error', 4],
      eqeqeq: 'error',
      'no-console': 'error',
      'no-restricted-syntax': ['error', ENUM, DEFAULT_EXPORT],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      // A rest sibling is how a field is left out.
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, varsIgnorePattern: '^_' }],
      // An abort reason is whatever the caller gave; it is passed on as it is.
      '@typescript-eslint/prefer-promise-reject-errors': ['error', { allowThrowingUnknown: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // A message read from an API may be null where its type says otherwise; being careful there is right.
      '@typescript-eslint/no-unnecessary-condition': 'off',
    },
  },
  {
    files: ['src/{base,api,core}/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'take `now` as an argument' },
        { object: 'Math', property: 'random', message: 'take a source of randomness as an argument' },
      ],
      'no-restricted-syntax': ['error', ENUM, DEFAULT_EXPORT, NO_CLOCK],
      'no-restricted-globals': ['error', ...TIMERS, 'process', 'fetch', 'performance', 'crypto'],
    },
  },
  {
    // The page knows the browser, which the projects that come first do not.
    files: ['web/**/*.ts', 'web/**/*.tsx'],
    languageOptions: { parserOptions: { project: ['./tsconfig.web.json', './tsconfig.test.json'] } },
  },
  {
    // Tools that print for people at a terminal.
    files: ['scripts/**/*.ts', 'bench/**/*.ts', 'test/**/*.ts', '**/*.test.ts', 'vitest.config.ts'],
    rules: {
      'no-console': 'off',
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  { files: ['**/*.config.ts'], rules: { 'no-restricted-syntax': ['error', ENUM] } },
);
