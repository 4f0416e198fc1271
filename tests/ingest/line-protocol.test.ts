import { expect, test } from 'vitest';
import { lineItems } from '../../app/ingest/line-protocol.server';

const RULES = { tags: ['sensor', 'host', 'device'], precision: 'ns' };

/** Returns the readings of lines, or their faults. */
const read = (text: string, rules = RULES) =>
  [...lineItems(text, rules)].flat().map((item) => ('error' in item ? item.error.detail : item.value));

const TIME = '1772359500123456789';
const created_at = '2026-03-01T10:05:00.123456789Z';

test.each<[string, string, unknown[]]>([
  [
    'tags and time',
    `air,sensor=Kitchen,x=1 co2=612i,temperature=21.4 ${TIME}`,
    [{ co2: 612, temperature: 21.4, sensor: 'Kitchen', created_at }],
  ],
  [
    'escapes',
    'my\\ air,host=Living\\ Room\\,\\ left co2=6.1e2,note="a, \\"b\\"=c"',
    [{ co2: 610, sensor: 'Living Room, left' }],
  ],
  ['no tag', 'air co2=612', [{ co2: 612 }]],
  ['the first tag counts', 'air,device=d,host=h co2=612u', [{ co2: 612, sensor: 'h' }]],
  [
    'lines of one time',
    `co2,host=a value=612 ${TIME}\nhumidity,host=a value=40 ${TIME}`,
    [{ co2: 612, humidity: 40, sensor: 'a', created_at }],
  ],
  [
    'lines of two times',
    `a,host=a co2=1 1000000000\na,host=a co2=2 2000000000`,
    [
      { co2: 1, sensor: 'a', created_at: '1970-01-01T00:00:01.000000000Z' },
      { co2: 2, sensor: 'a', created_at: '1970-01-01T00:00:02.000000000Z' },
    ],
  ],
  [
    'two values of a metric at a time',
    `a,host=a co2=1 ${TIME}\na,host=a co2=2 ${TIME}\na,host=a co2=2 ${TIME}`,
    [
      { co2: 1, sensor: 'a', created_at },
      { co2: 2, sensor: 'a', created_at },
    ],
  ],
  [
    'Home Assistant',
    'ppm,domain=sensor,entity_id=living_room_co2 value=612,friendly_name_str="Living room"',
    [{ co2: 612, sensor: 'living_room' }],
  ],
  [
    'Home Assistant in °F',
    '°F,domain=sensor,entity_id=attic_temperature value=68',
    [{ temperature: 20, sensor: 'attic' }],
  ],
  [
    'Home Assistant with the device class as measurement',
    'sensor__temperature,domain=sensor,entity_id=attic_temperature unit_of_measurement_str="°F",value=68',
    [{ temperature: 20, sensor: 'attic' }],
  ],
  [
    'no attributes of Home Assistant, nor setpoints, weather and lamps',
    `climate.living_room,domain=climate,entity_id=living_room current_temperature=20.1,temperature=21,state="heat"
weather.home,domain=weather,entity_id=home humidity=80,temperature=5.2,pressure=1013
light.kitchen_light,domain=light,entity_id=kitchen_light state="on",value=1
binary_sensor.kitchen_co,domain=binary_sensor,entity_id=kitchen_co state="off",value=0
ppm,domain=sensor,entity_id=hall_co2 temperature=50,value=612`,
    [{ co2: 612, sensor: 'hall' }],
  ],
  [
    'the first field of a metric, and names the others',
    'air,host=a scd41_temperature=25,bme280_temperature=20',
    [{ temperature: 25, 'bme280_temperature (another temperature)': 20, sensor: 'a' }],
  ],
  [
    "the field with the metric's own name",
    'air,host=a temp=25,temperature=20',
    [{ temperature: 20, 'temp (another temperature)': 25, sensor: 'a' }],
  ],
  [
    'line breaks in text',
    'air,host=a note="one\ntwo \\" x=\\"\nthree",co2=612\r\nair,host=b co2=613',
    [
      { co2: 612, sensor: 'a' },
      { co2: 613, sensor: 'b' },
    ],
  ],
  [
    'quotes in tags and comments, which open nothing',
    '# x y="\nair,host=6" co2=1\nair,host=b co2=2',
    [
      { co2: 1, sensor: '6"' },
      { co2: 2, sensor: 'b' },
    ],
  ],
  ['a unit in the name', 'air,host=a temperature_f=68,pm2_5=4', [{ temperature: 20, pm25: 4, sensor: 'a' }]],
  ['other numbers', 'air,host=a co2=612,battery=80,on=true', [{ co2: 612, battery: 80, sensor: 'a' }]],
  [
    'no values of computers and cities',
    `temp,host=pi,sensor=coretemp temp=45
cpu,host=pi usage_idle=98.5
smartctl,host=nas,name=/dev/nvme0 temperature=48i
smartctl_attributes,host=nas,name=/dev/nvme0 temperature=48i
wireless,host=pi,interface=wlan0 noise=-95i
weather,city=Berlin,city_id=2950159,forecast=*,host=pi humidity=80i,temperature=5.2,pressure=1013
# a comment

`,
    [],
  ],
  [
    'an own measurement "weather"',
    'weather,sensor=Balcony temperature=5',
    [{ temperature: 5, sensor: 'Balcony' }],
  ],
  ['a near name', 'air,host=a temprature=21', [{ temprature: 21, sensor: 'a' }]],
  ['CO is not CO2', 'air,host=a co=5', [{ co: 5, sensor: 'a' }]],
  [
    'gases, radon, noise and light in the units of their names',
    'air,host=a no2_ppm=0.02,o3_ppb=30,radon_pci_l=2,noise_dba=41.5,illuminance_lx=120,pm1_0=3',
    [{ no2: 20, o3: 30, radon: 74, noise: 41.5, light: 120, pm1: 3, sensor: 'a' }],
  ],
  [
    'Home Assistant in Bq/m³',
    'Bq/m³,domain=sensor,entity_id=cellar_radon value=68',
    [{ radon: 68, sensor: 'cellar' }],
  ],
])('reads %s', (_, text, expected) => {
  expect(read(text)).toEqual(expected);
});

test.each([
  ['air,host=a voc=120', 'may be in PPB or an index'],
  ['air,host=a temperature=71', 'may be in °F'],
  ['air,host=a no2=20', 'may be in ppm'],
  ['air,host=a radon=2', 'may be in pCi/L'],
  ['air,host=a no2_ugm3=20', 'depends on the temperature'],
  ['air,host=a co2=', 'has no number'],
  [
    'sensor__voc,domain=sensor,entity_id=bedroom_tvoc unit_of_measurement_str="µg/m³",value=120',
    "is in µg/m³, which can't be converted",
  ],
  ['air,host=a co2=612 yesterday', 'something else than a time'],
  ['air,host= co2', 'is not line protocol'],
  ['{"co2": 612}', 'is not line protocol'],
  [`air co2=${'1'.repeat(17_000)}`, 'is over 16 KiB'],
])('refuses %.40s', (text, reason) => {
  expect(read(text)).toEqual([expect.stringContaining(reason)]);
});

test('reads the lines after a quote that is never closed', () => {
  const refused = expect.stringContaining('has no number');
  expect(read('air note="x,co2=1\nair co2=2\nair co2=3 1')).toEqual([refused, { co2: 2 }, expect.anything()]);
  // The quote of another line closes it, but what follows is no line.
  expect(read('air note="x,co2=1\nair co2=2\nair co2=3,note="y"')).toEqual([refused, { co2: 2 }, { co2: 3 }]);
  const many = Array.from({ length: 300 }, (_, i) => `air,host=${i} co2=2,n=${'1'.repeat(90)}\n`).join('');
  expect(read(`air note="x\n${many}`)).toEqual([refused, ...Array(300).fill(expect.anything())]);
});

test('times have the precision that the client names', () => {
  expect(read('air co2=1 1772359500', { ...RULES, precision: 's' })).toEqual([
    { co2: 1, created_at: '2026-03-01T10:05:00.000000000Z' },
  ]);
});
