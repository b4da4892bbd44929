// What a machine can check about the page's source, the direction of imports above all.
import a11y from 'eslint-plugin-jsx-a11y';
import hooks from 'eslint-plugin-react-hooks';
import typescript from 'typescript-eslint';

/** From the bottom up; a folder may import itself and what stands before it. */
const LAYERS = ['util', 'theme', 'ui', 'api', 'live', 'components', 'pages'];

/** `ui` knows neither our domain nor the router; `api` has nothing to do with showing things. */
const EXTRA = { ui: ['@tanstack/react-router', '@tanstack/react-query'], api: ['react', 'react-dom'] };

const above = (layer) => LAYERS.slice(LAYERS.indexOf(layer) + 1);

const direction = LAYERS.map((layer) => ({
  files: [`src/${layer}/**/*.{ts,tsx}`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: (EXTRA[layer] ?? []).map((name) => ({ name, message: `src/${layer} does not know ${name}.` })),
        patterns: [
          {
            regex: `^(\\.\\./)+(${[...above(layer), 'routes', 'main'].join('|')})(/|$)`,
            message: 'Imports go ui, util ← components ← pages ← routes.',
          },
          { regex: '(^|/)index$', message: 'No barrel files.' },
        ],
      },
    ],
  },
}));

/** A page is a folder directly under pages; what two of them share belongs into components. */
const apart = {
  files: ['src/pages/*/*.{ts,tsx}'],
  rules: {
    'no-restricted-syntax': [
      'error',
      {
        selector:
          'ImportDeclaration[source.value=/^\\.\\.\\/[a-z-]+\\/[A-Z]?[A-Za-z]+$/]:not([source.value=/^\\.\\.\\/\\.\\./])',
        message: 'Pages do not import each other.',
      },
      { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'Text is never HTML here.' },
      { selector: "CallExpression[callee.name='fetch']", message: 'Only src/api/client.ts calls fetch.' },
    ],
  },
};

const everywhere = {
  files: ['src/**/*.{ts,tsx}'],
  ignores: ['src/api/client.ts', 'src/pages/*/*'],
  rules: {
    'no-restricted-syntax': [
      'error',
      { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'Text is never HTML here.' },
      { selector: "CallExpression[callee.name='fetch']", message: 'Only src/api/client.ts calls fetch.' },
    ],
  },
};

export default typescript.config(
  { ignores: ['dist', 'node_modules', 'src/api/schema.ts', 'test-results', 'playwright-report'] },
  ...typescript.configs.strict,
  a11y.flatConfigs.recommended,
  {
    files: ['src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': hooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      eqeqeq: ['error', 'always'],
      'no-console': 'error',
      // What scrolls has to take the focus, or the keyboard cannot scroll it.
      'jsx-a11y/no-noninteractive-tabindex': [
        'error',
        { tags: [], roles: ['region', 'application', 'tabpanel'] },
      ],
    },
  },
  ...direction,
  apart,
  everywhere,
  {
    files: ['scripts/**', 'public/**', '*.js'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', localStorage: 'readonly', document: 'readonly' },
    },
    rules: { 'no-var': 'off' },
  },
);
