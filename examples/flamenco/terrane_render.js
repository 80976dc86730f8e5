// SPDX-License-Identifier: GPL-3.0-or-later
//
// A job type of Flamenco: renders a preset or a recipe of Terrane with many seeds, a land for each task.
// Copy this file into the folder "scripts" beside flamenco-manager. See docs/render_farm.md.

const JOB_TYPE = {
    label: "Terrane Landscapes",
    description: "Render landscapes of Terrane, each task another seed",
    settings: [
        { key: "source", type: "string", required: true, default: "alps",
          description: "A preset, or the path of a recipe (.json) that all workers see" },
        { key: "seeds", type: "string", required: true, default: "1-8",
          description: "Seeds, such as 7 or 1-8 or 1,5,20-29" },
        { key: "output_folder", type: "string", subtype: "dir_path", required: true,
          description: "Folder of the pictures, which all workers see" },
        { key: "pixels", type: "string", default: "1920x1080", description: "Size of a picture" },
        { key: "samples", type: "int32", default: 128, description: "Samples of each pixel" },
        { key: "resolution", type: "int32", default: 1025, description: "Vertices along the longer side" },
        { key: "engine", type: "string", choices: ["cycles", "eevee"], default: "cycles",
          description: "What renders; eevee needs a graphics card" },
        { key: "save_blend", type: "bool", default: false, description: "Save a Blender file beside each picture" },
        { key: "overwrite", type: "bool", default: true,
          description: "Replace pictures that are there, as those of a task that is done again" },
        { key: "blender_cmd", type: "string", default: "{blender}", visible: "hidden",
          description: "Blender, as Flamenco's variables have it" },
    ],
};

function compileJob(job) {
    const settings = job.settings;
    const seeds = parseSeeds(settings.seeds);
    for (const seed of seeds) {
        const task = author.Task(`seed-${seed}`, "blender");
        task.addCommand(author.Command("exec", {
            exe: settings.blender_cmd,
            args: argumentsOf(settings, seed),
        }));
        job.addTask(task);
    }
}

// The arguments of `blender --command terrane render` for a seed.
function argumentsOf(settings, seed) {
    const file = path.join(settings.output_folder, `${path.stem(settings.source)}_${seed}`);
    const given = [
        "--command", "terrane", "render", settings.source,
        "--seed", String(seed),
        "--output", `${file}.png`,
        "--pixels", settings.pixels,
        "--samples", String(settings.samples),
        "--resolution", String(settings.resolution),
        "--engine", settings.engine,
    ];
    if (settings.save_blend) given.push("--blend", `${file}.blend`);
    if (settings.overwrite) given.push("--overwrite");
    return given;
}

// All seeds in a text such as "1,5,20-29", each once, in order.
function parseSeeds(text) {
    const found = new Set();
    for (const part of text.split(",")) {
        const match = part.trim().match(/^(\d+)(?:-(\d+))?$/);
        if (!match) throw `seeds must be such as 7 or 1-8 or 1,5,20-29; got '${text}'`;
        const first = Number(match[1]);
        const last = match[2] === undefined ? first : Number(match[2]);
        if (last < first || last > 4294967295) throw `seeds must rise, up to 4294967295; got '${part.trim()}'`;
        if (last - first >= 10000) throw `seeds must be at most 10000; got '${part.trim()}'`;
        for (let seed = first; seed <= last; seed++) found.add(seed);
    }
    return Array.from(found).sort((a, b) => a - b);
}
