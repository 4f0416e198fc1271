/**
 * The table of metrics. Plain JavaScript, because `npm run import` runs without a build.
 */

/**
 * A row of the table.
 *
 * - `field`: the property of a reading that holds the value.
 * - `unit`: the unit in which values are stored and shown; empty for an index.
 * - `decimals`: the most decimals that are shown.
 * - `plausible`: the values that a working sensor reports in air that people live in, both ends included. Any other value is a
 *   fault of the sensor: it is stored, but doesn't count as a measurement. A change needs a migration of both stores, because they
 *   keep sums of the measurements.
 * - `threshold`: the default thresholds of its levels. A metric without them has no levels and doesn't affect the verdict.
 * - `band`: a comfortable value is at least `from` and below `to`. Only for metrics without thresholds.
 * - `comfort`: the words for values beyond a sensor's own limits, and how far inside them a value counts as good again. Only for
 *   metrics without thresholds.
 * - `advice`: how to improve the air if the level isn't good.
 * - `color`: the line's colour in both schemes, with a contrast of at least 4.5:1 on every chart background.
 * - `dash`: the pixels of the line's strokes and gaps; empty for a solid line.
 * - `prometheus`: the name of its gauge in `/metrics`.
 * - `deviceClass`: Home Assistant's device class for it; null if there is none.
 * - `aliases`: other names in devices and files, in lower case without spaces and punctuation.
 *
 * @typedef {{
 *   field: string, name: string, unit: string, decimals: number,
 *   plausible: { from: number, to: number },
 *   threshold?: { good: number, moderate: number }, band?: { from: number, to: number },
 *   comfort?: { low: string, high: string, margin: number }, advice?: string,
 *   color: { light: string, dark: string }, dash: readonly number[],
 *   prometheus: string, deviceClass: string | null, aliases: readonly string[],
 * }} MetricRow
 */

const OPEN_A_WINDOW = 'Open a window.';
const VENTILATE = 'Ventilate, and look for the source.';
const FILTER = 'Filter the air, or ventilate if the air outside is better.';

/**
 * All metrics, in display order. To add one, add a row here and a migration to each store (CONTRIBUTING.md).
 *
 * @satisfies {readonly MetricRow[]}
 */
export const TABLE = /** @type {const} */ ([
  {
    // Thresholds: German Environment Agency, "Gesundheitliche Bewertung von Kohlendioxid in der Innenraumluft", 2008. Outdoor
    // air has more than 420 PPM today, and has had at least 300 for a hundred years. Sensors measure up to 40,000 PPM (Sensirion
    // SCD30, SCD4x), and report 0, 65519 or 65535 after an error.
    field: 'co2',
    name: 'CO2',
    unit: 'PPM',
    decimals: 2,
    plausible: { from: 300, to: 40_000 },
    threshold: { good: 1000, moderate: 2000 },
    advice: OPEN_A_WINDOW,
    color: { light: '#0b5cad', dark: '#7cb8f5' },
    dash: [],
    prometheus: 'airboard_co2_ppm',
    deviceClass: 'carbon_dioxide',
    aliases: ['carbondioxide', 'rco2'],
  },
  {
    // Up to 65,000 PPB: ScioSense ENS160. SGP30 and CCS811 measure less.
    field: 'voc',
    name: 'VOC',
    unit: 'PPB',
    decimals: 2,
    plausible: { from: 0, to: 65_000 },
    threshold: { good: 400, moderate: 800 },
    advice: OPEN_A_WINDOW,
    color: { light: '#a3287a', dark: '#f08acb' },
    dash: [6, 4],
    prometheus: 'airboard_voc_ppb',
    deviceClass: 'volatile_organic_compounds_parts',
    aliases: ['tvoc', 'totalvoc'],
  },
  {
    // Sensirion, "What is Sensirion's VOC Index?", 2022: 100 is the sensor's own average over the last 24 hours. Higher values
    // mean more than usual. 0 while the sensor warms up.
    field: 'voc_index',
    name: 'VOC index',
    unit: '',
    decimals: 0,
    plausible: { from: 1, to: 500 },
    threshold: { good: 150, moderate: 250 },
    advice: VENTILATE,
    color: { light: '#6d3fb0', dark: '#c9a2f5' },
    dash: [2, 3],
    prometheus: 'airboard_voc_index',
    deviceClass: null,
    aliases: ['tvocindex', 'vocidx'],
  },
  {
    // Sensirion, "What is Sensirion's NOx Index?", 2022: 1 is the sensor's own average. Higher values mean more than usual.
    field: 'nox_index',
    name: 'NOx index',
    unit: '',
    decimals: 0,
    plausible: { from: 1, to: 500 },
    threshold: { good: 20, moderate: 150 },
    advice: VENTILATE,
    color: { light: '#8f4700', dark: '#ffb070' },
    dash: [8, 3, 2, 3],
    prometheus: 'airboard_nox_index',
    deviceClass: null,
    aliases: ['noxidx', 'nox'],
  },
  {
    // Good: Health Canada, "Residential Indoor Air Quality Guideline: Formaldehyde", 2006, for 8 hours. Moderate: 0.1 mg/m³ for
    // 30 minutes (WHO, "Guidelines for Indoor Air Quality: Selected Pollutants", 2010; German Environment Agency, 2016), which are
    // 80 PPB. Winsen ZE08-CH2O measures up to 5,000 PPB. Home Assistant has no class for it.
    field: 'hcho',
    name: 'Formaldehyde',
    unit: 'PPB',
    decimals: 1,
    plausible: { from: 0, to: 5000 },
    threshold: { good: 40, moderate: 80 },
    advice: VENTILATE,
    color: { light: '#a32d4d', dark: '#ff9db5' },
    dash: [8, 4],
    prometheus: 'airboard_hcho_ppb',
    deviceClass: null,
    aliases: ['formaldehyde', 'formaldehyd', 'ch2o'],
  },
  {
    // Good: WHO's guideline for 24 hours, 2021, 4 mg/m³, which are 3.5 PPM at 25 °C. Moderate: US EPA's standard for 8 hours; WHO's
    // is 10 mg/m³. Figaro TGS5042 measures up to 10,000 PPM.
    field: 'co',
    name: 'CO',
    unit: 'PPM',
    decimals: 1,
    plausible: { from: 0, to: 10_000 },
    threshold: { good: 3.5, moderate: 9 },
    advice: 'Open the windows, and turn off stoves, heaters and engines.',
    color: { light: '#3f3f3f', dark: '#d2d2d2' },
    dash: [],
    prometheus: 'airboard_co_ppm',
    deviceClass: 'carbon_monoxide',
    aliases: ['carbonmonoxide', 'kohlenmonoxid'],
  },
  {
    // Good: WHO's guideline for 24 hours, 2021, 25 µg/m³, which are 13 PPB at 25 °C. Moderate: US EPA's standard for an hour; WHO's
    // is 200 µg/m³. Alphasense NO2-B43F measures up to 20,000 PPB. Home Assistant's class is in µg/m³.
    field: 'no2',
    name: 'NO2',
    unit: 'PPB',
    decimals: 1,
    plausible: { from: 0, to: 20_000 },
    threshold: { good: 13, moderate: 100 },
    advice: VENTILATE,
    color: { light: '#9c4221', dark: '#ffab8a' },
    dash: [5, 3],
    prometheus: 'airboard_no2_ppb',
    deviceClass: null,
    aliases: ['nitrogendioxide', 'stickstoffdioxid'],
  },
  {
    // Good: WHO's guideline for 8 hours, 2021, 100 µg/m³, which are 51 PPB at 25 °C. Moderate: US EPA's standard for 8 hours.
    // Alphasense OX-B431 measures up to 20,000 PPB. Home Assistant's class is in µg/m³.
    field: 'o3',
    name: 'Ozone',
    unit: 'PPB',
    decimals: 1,
    plausible: { from: 0, to: 20_000 },
    threshold: { good: 51, moderate: 70 },
    advice: 'Turn off ionizers, and ventilate if the air outside is better.',
    color: { light: '#2b6b5e', dark: '#86dcc8' },
    dash: [3, 2],
    prometheus: 'airboard_o3_ppb',
    deviceClass: null,
    aliases: ['ozone', 'ozon'],
  },
  {
    // WHO handbook on indoor radon, 2009: 100 Bq/m³ as a reference level, and not above 300. Both are averages of a year. Home
    // Assistant before 2026.8 refuses the class `radon`.
    field: 'radon',
    name: 'Radon',
    unit: 'Bq/m³',
    decimals: 0,
    plausible: { from: 0, to: 100_000 },
    threshold: { good: 100, moderate: 300 },
    advice: 'Ventilate, the cellar too.',
    color: { light: '#2e6b1f', dark: '#9fe08a' },
    dash: [9, 3],
    prometheus: 'airboard_radon_bqm3',
    deviceClass: null,
    aliases: ['radonshortterm', 'radon1day'],
  },
  {
    // No guideline. The range is that of PM2.5.
    field: 'pm1',
    name: 'PM1',
    unit: 'µg/m³',
    decimals: 1,
    plausible: { from: 0, to: 6000 },
    color: { light: '#80501a', dark: '#f0cfa0' },
    dash: [2, 2],
    prometheus: 'airboard_pm1_ugm3',
    deviceClass: 'pm1',
    aliases: ['pm01', 'pm1p0', 'particulatematter1'],
  },
  {
    // Good: WHO's guideline for 24 hours, 2021. Moderate: US EPA's standard for 24 hours. Sensors are specified up to 1000 (2000)
    // µg/m³, but smoke has given several thousand. 999 may be a measurement, too. Sensirion SEN5x report 6553.5 after an error.
    field: 'pm25',
    name: 'PM2.5',
    unit: 'µg/m³',
    decimals: 1,
    plausible: { from: 0, to: 6000 },
    threshold: { good: 15, moderate: 35 },
    advice: FILTER,
    color: { light: '#6b5600', dark: '#e8c15a' },
    dash: [4, 2],
    prometheus: 'airboard_pm25_ugm3',
    deviceClass: 'pm25',
    aliases: ['pm02', 'pm2p5', 'pm2d5', 'pm02compensated', 'pm25ugm3', 'particulatematter25'],
  },
  {
    // No guideline. Older versions of Home Assistant refuse the class `pm4`.
    field: 'pm4',
    name: 'PM4',
    unit: 'µg/m³',
    decimals: 1,
    plausible: { from: 0, to: 6000 },
    color: { light: '#5c5a2e', dark: '#d9d6a0' },
    dash: [7, 2],
    prometheus: 'airboard_pm4_ugm3',
    deviceClass: null,
    aliases: ['pm4p0', 'particulatematter4'],
  },
  {
    // Good: WHO's guideline for 24 hours, 2021. Moderate: US EPA's standard for 24 hours.
    field: 'pm10',
    name: 'PM10',
    unit: 'µg/m³',
    decimals: 1,
    plausible: { from: 0, to: 6000 },
    threshold: { good: 45, moderate: 150 },
    advice: FILTER,
    color: { light: '#4d6100', dark: '#c6d35c' },
    dash: [10, 3],
    prometheus: 'airboard_pm10_ugm3',
    deviceClass: 'pm10',
    aliases: ['pm100', 'pm10p0', 'particulatematter10'],
  },
  {
    // The range of Bosch BME280. A DS18B20 reports 85 before its first measurement and -127 without a connection; an SCD41 or SHT
    // whose data line is low reports -45.
    field: 'temperature',
    name: 'Temperature',
    unit: '°C',
    decimals: 1,
    plausible: { from: -40, to: 84.9 },
    comfort: { low: 'too cold', high: 'too warm', margin: 0.5 },
    color: { light: '#b3261e', dark: '#ff9a86' },
    dash: [],
    prometheus: 'airboard_temperature_celsius',
    deviceClass: 'temperature',
    aliases: ['temp', 'atmp', 'atmpcompensated', 'tempc', 'temperatur', 'temperatura'],
  },
  {
    // 30 to 60 %: US EPA, "A Brief Guide to Mold, Moisture and Your Home", 2012.
    field: 'humidity',
    name: 'Humidity',
    unit: '%',
    decimals: 1,
    plausible: { from: 0, to: 100 },
    band: { from: 30, to: 60 },
    comfort: { low: 'too dry', high: 'too damp', margin: 2 },
    color: { light: '#00637f', dark: '#6fd3ea' },
    dash: [6, 4],
    prometheus: 'airboard_humidity_percent',
    deviceClass: 'humidity',
    aliases: [
      'rhum',
      'rhumcompensated',
      'rh',
      'relativehumidity',
      'hum',
      'humi',
      'humid',
      'luftfeuchtigkeit',
      'luftfeuchte',
      'humidite',
      'humedad',
    ],
  },
  {
    // The range of Bosch BMP280 and BME280.
    field: 'pressure',
    name: 'Pressure',
    unit: 'hPa',
    decimals: 1,
    plausible: { from: 300, to: 1100 },
    color: { light: '#4a5a6a', dark: '#b4c2d0' },
    dash: [2, 3],
    prometheus: 'airboard_pressure_hpa',
    deviceClass: 'atmospheric_pressure',
    aliases: ['airpressure', 'atmosphericpressure', 'barometer', 'luftdruck'],
  },
  {
    // WHO's guidelines are averages of a day or a night, with which a single reading can't be compared. A-weighted. Rooms have at least
    // 10 dB; a microphone that isn't ready reports 0.
    field: 'noise',
    name: 'Noise',
    unit: 'dB',
    decimals: 1,
    plausible: { from: 10, to: 140 },
    color: { light: '#4b4fa8', dark: '#b3b6ff' },
    dash: [2, 2],
    prometheus: 'airboard_noise_db',
    deviceClass: 'sound_pressure',
    aliases: ['noiselevel', 'soundlevel', 'soundpressure', 'soundpressurelevel', 'laeq'],
  },
  {
    // EN 12464 is about the work at a place, not about health. Direct sun has up to 130,000 lx.
    field: 'light',
    name: 'Light',
    unit: 'lx',
    decimals: 1,
    plausible: { from: 0, to: 200_000 },
    color: { light: '#806000', dark: '#ffd966' },
    dash: [],
    prometheus: 'airboard_light_lux',
    deviceClass: 'illuminance',
    aliases: ['illuminance', 'lux', 'ambientlight'],
  },
]);
