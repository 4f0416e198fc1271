/**
 * `npm run docs` generates the parts of docs/ between `<!-- begin NAME -->` and `<!-- end NAME -->` from code and results.
 * With `--check`, changes nothing and exits with 1 if a document is outdated.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { runnerImport } from 'vite';
import { unitInHomeAssistant } from '../app/readings/metric-units.js';
import { serviceUnit } from './service-unit.js';

/** An object of the OpenAPI document. @typedef {{ [member: string]: any }} Json */

/** @param {string} path */
const load = async (path) => (await runnerImport(resolve(path), { configFile: false })).module;
/** @param {string} path */
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

const { SETTING_DESCRIPTIONS } = await load('app/config/setting-descriptions.ts');
const { openApiDocument } = await load('app/openapi/document.server.ts');
const { alternativesOf, describeValues, membersOf } = await load('app/openapi/schemas.server.ts');
const { METRICS } = await load('app/readings/metric.ts');
const { formatTable } = await load('bench/figure.ts');
const { paths, components } = await openApiDocument();
const bench = readJson('bench/results.json');
const torture = readJson('tests/torture/results.json');

/** Functions that generate a block from the words after its name. @type {Record<string, (...words: string[]) => string>} */
const BLOCKS = {
  settings: (group) =>
    table(
      ['name', 'default', 'meaning'],
      Object.entries(SETTING_DESCRIPTIONS[group]).map(([name, setting]) => [
        `\`${name}\``,
        setting.default,
        setting.meaning,
      ]),
    ),
  'service-unit': () =>
    `\`\`\`ini\n${serviceUnit('/usr/bin/node', '/usr/lib/node_modules/airboard/scripts/airboard.js')}\`\`\``,
  routes: () =>
    table(
      ['address', 'what it does'],
      Object.entries(paths).flatMap(([path, { get, post, patch, delete: remove }]) =>
        Object.entries({ GET: get, POST: post, PATCH: patch, DELETE: remove }).flatMap(
          ([method, operation]) => (operation ? [[`\`${method} ${path}\``, operation.summary]] : []),
        ),
      ),
    ),
  parameters: (method, path) =>
    table(
      ['parameter', 'value', 'meaning'],
      operationOf(method, path).parameters.map(
        (/** @type {Json} */ { name, in: place, schema, description }) => [
          `\`${name}\`${place === 'header' ? ' (header)' : ''}`,
          describeValues(schema),
          description,
        ],
      ),
    ),
  answers: (method, path) =>
    table(
      ['answer', 'when'],
      Object.entries(operationOf(method, path).responses)
        .filter(([status]) => status !== 'default')
        .map(([status, { description }]) => [status, description]),
    ),
  example: (method, path, ...title) => {
    const { responses } = operationOf(method, path);
    const examples = Object.values(responses).flatMap(({ content = {} }) =>
      Object.values(content).flatMap((/** @type {Json} */ { examples = {} }) => Object.values(examples)),
    );
    const { value, 'x-request': request } = examples.find(({ summary }) => summary === title.join(' '));
    const answer = typeof value === 'string' ? ['', value.trim()] : ['json', JSON.stringify(value)];
    return `\`\`\`sh\n${request}\n\`\`\`\n\n\`\`\`${answer.join('\n').replaceAll('\r', '')}\n\`\`\``;
  },
  members: (name, ...path) => table(['member', 'value', 'meaning'], memberRows(schemaAt(name, path), '')),
  gauges: () =>
    table(
      ['metric', 'value', 'class in [Home Assistant](home-assistant.md#sensors-of-airboard)'],
      METRICS.map((/** @type {Json} */ { name, unit, prometheus, deviceClass }) => [
        `\`${prometheus}\``,
        unit ? `${name} in ${unit}` : name,
        deviceClass ? `\`${deviceClass}\`` : 'none',
      ]),
    ),
  'home-assistant': () => `\`\`\`yaml\n${homeAssistantSensors()}\`\`\``,
  'bench-date': () => `${bench.date.slice(0, 10)}, ${bench.machine}.`,
  bench: () => formatTable(bench.figures),
  torture: () =>
    `From the seed ${torture.seed}:\n\n${table(
      ['test', 'measured', 'date and machine'],
      Object.entries(torture.results).map(([test, { measured, date, machine }]) => [
        `\`${test}\``,
        measured,
        `${date}, ${machine}`,
      ]),
    )}`,
};

/** Returns the Home Assistant configuration for a sensor's metrics and level. */
function homeAssistantSensors() {
  const entities = METRICS.map((/** @type {Json} */ { field, name, unit, prometheus, deviceClass }) => {
    const gauge = `${prometheus}{sensor="Bedroom"}`;
    return [
      `      - name: Bedroom ${name}`,
      `        unique_id: airboard_bedroom_${field}`,
      ...(deviceClass ? [`        device_class: ${deviceClass}`] : []),
      '        state_class: measurement',
      ...(unit ? [`        unit_of_measurement: "${unitInHomeAssistant(unit)}"`] : []),
      '        value_template: >-',
      `          {{ value | regex_findall('${gauge} (.+)') | first | default(none) }}`,
      '        availability: >-',
      `          {{ '${gauge}' in value }}`,
    ];
  });
  const level = 'airboard_level{sensor="Bedroom"}';
  const air = [
    '      - name: Bedroom air',
    '        unique_id: airboard_bedroom_air',
    '        device_class: enum',
    '        options: [good, moderate, poor]',
    '        value_template: >-',
    `          {{ ['good', 'moderate', 'poor'][value | regex_findall('${level} (.+)') | first | int] }}`,
    '        availability: >-',
    `          {{ '${level}' in value }}`,
  ];
  const request = [
    'rest:',
    '  - resource: http://192.168.1.20:3000/metrics',
    '    scan_interval: 30',
    '    sensor:',
  ];
  return [...request, ...entities.flat(), ...air, ''].join('\n');
}

/** @param {string} method @param {string} path */
const operationOf = (method, path) => paths[path][method.toLowerCase()];

/** Returns a named schema, or a member of it. @param {string} name @param {string[]} path */
function schemaAt(name, path) {
  return path.reduce((schema, member) => schema.properties[member], components.schemas[name]);
}

/**
 * Returns one row per member. The members of an inner object follow its row.
 *
 * @param {Json} schema
 * @param {string} prefix
 * @returns {string[][]}
 */
function memberRows(schema, prefix) {
  return alternativesOf(schema)
    .flatMap(membersOf)
    .flatMap((/** @type {Json} */ { name, member, isRequired, objects }) => {
      const isList = member.type === 'array';
      const path = `${prefix}${name}${isList && objects.length > 0 ? '[]' : ''}`;
      const object = isList ? 'array of objects' : member.anyOf ? 'object or null' : 'object';
      const values = objects.length > 0 ? object : describeValues(member);
      const row = [`\`${path}\``, isRequired ? values : `${values}, optional`, member.description ?? ''];
      return [row, ...objects.flatMap((/** @type {Json} */ inner) => memberRows(inner, `${path}.`))];
    });
}

const isCheck = process.argv.includes('--check');
const old = [];
for (const name of readdirSync('docs').filter((file) => file.endsWith('.md'))) {
  const path = `docs/${name}`;
  const text = readFileSync(path, 'utf8');
  const generated = text.replace(
    /^<!-- begin (([\w-]+)(?: (.+))?) -->\n[\s\S]*?^<!-- end \1 -->$/gm,
    (_, block, kind, words = '') =>
      `<!-- begin ${block} -->\n\n${BLOCKS[kind]?.(...words.split(' '))}\n\n<!-- end ${block} -->`,
  );
  if (generated === text) continue;
  old.push(path);
  if (!isCheck) writeFileSync(path, generated);
}
if (old.length > 0) console.log(`${isCheck ? 'Outdated, run "npm run docs"' : 'Written'}: ${old.join(', ')}`);
process.exit(isCheck && old.length > 0 ? 1 : 0);

/** @param {string[]} header @param {string[][]} rows */
function table(header, rows) {
  return [header, header.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}
