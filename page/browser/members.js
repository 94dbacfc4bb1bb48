/* How several devices share the launches of the leaf that runs at the point. In: the part "devices"
   of an explanation; out: a bar for each device, of which the whole is the predicted time of a run:
   kernels, copies, and the rest, in which it waits; its share of the blocks; bytes by link. */

const PARTS = { kernels: "kernels", copies: "copies", rest: "launches and waiting" };

/* Blocks of a launch on device `i`, from 0 on. The first one runs a launch that is not cut. */
function blocksOf(launch, i) {
    if (launch.reason) {
        return { share: i === 0 ? 1 : 0, text: i === 0 ? "all" : "none" };
    }
    const from = i ? launch.ends[i - 1] : 0, end = launch.ends[i];
    const text = end > from ? `${from} to ${end - 1}` : "none";
    return { share: (end - from) / launch.blocks, text };
}

function shareOf(devices, i) {
    const shares = devices.launches.map((launch) => blocksOf(launch, i).share);
    return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/* Nanoseconds of a device by the names of PARTS. */
function timesOf(devices, i) {
    const { kernels, copies } = devices.each[i];
    return { kernels, copies, rest: Math.max(0, devices.predicted.nanoseconds - kernels - copies) };
}

function memberBar(devices, i) {
    const times = timesOf(devices, i), all = devices.predicted.nanoseconds;
    const pieces = Object.keys(PARTS).map((part) => make("span", {
        class: `part ${part}`, style: `width:${(100 * times[part] / all).toFixed(2)}%`,
    }));
    const told = Object.entries(PARTS).filter(([part]) => times[part] > 0)
        .map(([part, name]) => `${name} ${timeText(times[part])}`);
    return make("div", {},
        make("div", { class: "row" }, make("span", {}, `device ${i + 1}`),
            make("span", { class: "track" }, ...pieces),
            make("span", {}, `${(100 * shareOf(devices, i)).toPrecision(3)} % of blocks`)),
        make("p", { class: "soft" }, told.join(", ")));
}

/* The blocks of each launch by device. */
function blocksTable(devices) {
    const heads = devices.launches.map((launch, n) =>
        `launch ${n + 1}: ${launch.reason ? "not cut" : `${launch.axis} axis`}`);
    return table(["blocks", ...heads], Array.from({ length: devices.members }, (_, i) =>
        row(make("td", {}, `device ${i + 1}`),
            ...devices.launches.map((launch) => make("td", {}, blocksOf(launch, i).text)))));
}

/* Bytes of all launches together, by link. */
function linksTable(devices) {
    const links = new Map();
    devices.launches.flatMap((launch) => launch.bytes).forEach(({ from, to, bytes }) => {
        const link = `device ${from} to ${to}`;
        links.set(link, (links.get(link) ?? 0) + bytes);
    });
    return links.size ? table(["link", "bytes at each run"], [...links].map(([link, bytes]) =>
        row(make("td", {}, link), make("td", { class: "number" }, bytes))))
        : make("p", {}, "They hand no bytes to each other.");
}

/* Why one device works alone. */
function aloneText(devices) {
    const reason = devices.launches.find((launch) => launch.reason)?.reason;
    if (!devices.other) {
        return reason ? `No launch is cut: ${reason}.` : "";
    }
    return `${counted(devices.other, "device")} would take ` +
        `${timeText(devices.other_predicted.nanoseconds)}, which saves less than an eighth.`;
}

function timeShare(devices) {
    const { predicted, one } = devices;
    const factor = one ? ` One device takes ${timeText(one.nanoseconds)}, ` +
        `${(one.nanoseconds / predicted.nanoseconds).toPrecision(3)} times as long.` : "";
    return `Predicted ${timeText(predicted.nanoseconds)}.${factor}`;
}

function legend() {
    return make("ul", { class: "legend" }, ...Object.entries(PARTS).map(([part, name]) =>
        make("li", {}, make("span", { class: `swatch ${part}` }), name)));
}

/* `devices`: null or undefined where one device is looked at. */
function membersShow(devices) {
    $("several").hidden = !devices;
    if (!devices) {
        $("members").replaceChildren();
        return;
    }
    const numbers = Array.from({ length: devices.members }, (_, i) => i);
    const isShared = devices.members > 1;
    $("members").replaceChildren(...[
        make("p", {}, make("strong", {},
            `${devices.members} of ${counted(devices.count, "device")}`),
            ` ${isShared ? "share the launches" : "runs all launches"}, ${devices.by}. `,
            isShared && devices.predicted ? timeShare(devices) : aloneText(devices)),
        ...(devices.predicted ? [...numbers.map((i) => memberBar(devices, i)), legend()] : []),
        ...(isShared ? [blocksTable(devices), linksTable(devices)] : []),
    ]);
}
